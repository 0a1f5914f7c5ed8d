// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRegistry} from "./Registrars.sol";
import {
    IBatchGateway,
    IERC165,
    IExtendedResolver,
    IFeatures,
    IRecords,
    OffchainLookup,
    RESOLVE_MULTICALL
} from "./Resolvers.sol";

/// Resolution in one call, with the interface and the errors of the Universal Resolver's third version.
contract UniversalResolver {
    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);
    error HttpError(uint16 status, string message);

    /// One question to a resolver, and where it stands.
    struct Lookup {
        bytes4 selector;
        bool failed;
        bool waits;
        bytes answer;
    }

    /// What the callback needs of the first half.
    struct Batch {
        address resolver;
        bool extended;
        bool many;
        Lookup[] lookups;
    }

    /// The arguments of OffchainLookup.
    struct Offchain {
        address sender;
        string[] urls;
        bytes callData;
        bytes4 callback;
        bytes extraData;
    }

    uint256 constant INTERFACE_CHECK_GAS = 30_000;
    IRegistry public immutable registry;

    constructor(IRegistry registry_) {
        registry = registry_;
    }

    function resolve(bytes calldata name, bytes calldata data)
        external
        view
        returns (bytes memory, address)
    {
        string[] memory gateways = new string[](1);
        gateways[0] = "x-batch-gateway:true";
        return resolveWithGateways(name, data, gateways);
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] memory gateways)
        public
        view
        returns (bytes memory, address)
    {
        (address resolver, bool extended) = requireResolver(name);
        if (extended && hasFeature(resolver, RESOLVE_MULTICALL)) return direct(resolver, name, data);
        bool many = bytes4(data) == IRecords.multicall.selector;
        Batch memory batch = Batch(resolver, extended, many, ask(resolver, extended, name, split(data, many)));
        waitForGateway(batch, gateways);
        return (finish(batch), resolver);
    }

    /// Where ENSIP-10 finds the resolver: at the name itself or at the nearest parent that has one.
    function findResolver(bytes memory name)
        public
        view
        returns (address resolver, bytes32 node, uint256 offset)
    {
        node = nodeAt(name, 0);
        for (; offset < name.length && name[offset] != 0; offset += 1 + uint8(name[offset])) {
            resolver = registry.resolver(nodeAt(name, offset));
            if (resolver != address(0)) return (resolver, node, offset);
        }
    }

    function requireResolver(bytes calldata name) internal view returns (address resolver, bool extended) {
        uint256 offset;
        (resolver,, offset) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
        extended = hasInterface(resolver, type(IExtendedResolver).interfaceId);
        if (extended) return (resolver, true);
        if (offset != 0) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
    }

    /// A resolver that takes whole multicalls goes offchain by itself: its own URLs reach the client.
    function direct(address resolver, bytes calldata name, bytes calldata data)
        internal
        view
        returns (bytes memory, address)
    {
        (bool ok, bytes memory answer) =
            resolver.staticcall(abi.encodeCall(IExtendedResolver.resolve, (name, data)));
        if (ok) return (abi.decode(answer, (bytes)), resolver);
        if (!isOffchain(answer)) revert ResolverError(answer);
        Offchain memory offchain = readOffchain(answer);
        revert OffchainLookup(
            address(this),
            offchain.urls,
            offchain.callData,
            this.directCallback.selector,
            abi.encode(resolver, offchain.callback, offchain.extraData)
        );
    }

    function directCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (address resolver, bytes4 callback, bytes memory inner) =
            abi.decode(extraData, (address, bytes4, bytes));
        (bool ok, bytes memory answer) =
            resolver.staticcall(abi.encodeWithSelector(callback, response, inner));
        if (!ok) revert ResolverError(answer);
        return (abi.decode(answer, (bytes)), resolver);
    }

    function ask(address resolver, bool extended, bytes calldata name, bytes[] memory calls)
        internal
        view
        returns (Lookup[] memory lookups)
    {
        lookups = new Lookup[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            bytes memory question =
                extended ? abi.encodeCall(IExtendedResolver.resolve, (name, calls[i])) : calls[i];
            (bool ok, bytes memory answer) = resolver.staticcall(question);
            bool waits = !ok && isOffchain(answer) && readOffchain(answer).sender == resolver;
            lookups[i] = Lookup(bytes4(calls[i]), !ok, waits, answer);
        }
    }

    /// All that waits for a gateway is asked for in one request of ENSIP-21.
    function waitForGateway(Batch memory batch, string[] memory gateways) internal view {
        uint256 count;
        for (uint256 i; i < batch.lookups.length; i++) {
            if (batch.lookups[i].waits) count++;
        }
        if (count == 0) return;
        IBatchGateway.Request[] memory requests = new IBatchGateway.Request[](count);
        for (uint256 i = batch.lookups.length; i > 0; i--) {
            if (!batch.lookups[i - 1].waits) continue;
            Offchain memory offchain = readOffchain(batch.lookups[i - 1].answer);
            requests[--count] = IBatchGateway.Request(offchain.sender, offchain.urls, offchain.callData);
        }
        revert OffchainLookup(
            address(this),
            gateways,
            abi.encodeCall(IBatchGateway.query, (requests)),
            this.batchCallback.selector,
            abi.encode(batch)
        );
    }

    function batchCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        Batch memory batch = abi.decode(extraData, (Batch));
        uint256 next;
        for (uint256 i; i < batch.lookups.length; i++) {
            Lookup memory lookup = batch.lookups[i];
            if (!lookup.waits) continue;
            if (failures[next]) {
                lookup.answer = responses[next];
            } else {
                Offchain memory offchain = readOffchain(lookup.answer);
                (bool ok, bytes memory answer) = offchain.sender.staticcall(
                    abi.encodeWithSelector(offchain.callback, responses[next], offchain.extraData)
                );
                (lookup.failed, lookup.answer) = (!ok, answer);
            }
            next++;
        }
        return (finish(batch), batch.resolver);
    }

    /// One failure of many stays in its place as revert data; a single one reverts.
    function finish(Batch memory batch) internal pure returns (bytes memory) {
        bytes[] memory answers = new bytes[](batch.lookups.length);
        for (uint256 i; i < answers.length; i++) {
            Lookup memory lookup = batch.lookups[i];
            bytes memory answer = lookup.answer;
            if (batch.extended && !lookup.failed) answer = abi.decode(answer, (bytes));
            if (!lookup.failed && answer.length == 0) {
                lookup.failed = true;
                answer = abi.encodeWithSelector(UnsupportedResolverProfile.selector, lookup.selector);
            }
            answers[i] = answer;
        }
        if (batch.many) return abi.encode(answers);
        if (!batch.lookups[0].failed) return answers[0];
        if (bytes4(answers[0]) != UnsupportedResolverProfile.selector) revert ResolverError(answers[0]);
        revert UnsupportedResolverProfile(batch.lookups[0].selector);
    }

    function split(bytes calldata data, bool many) internal pure returns (bytes[] memory calls) {
        if (many) return abi.decode(data[4:], (bytes[]));
        calls = new bytes[](1);
        calls[0] = data;
    }

    function nodeAt(bytes memory name, uint256 offset) internal pure returns (bytes32) {
        uint256 length = uint8(name[offset]);
        if (length == 0) return 0;
        bytes32 label;
        assembly {
            label := keccak256(add(add(name, 33), offset), length)
        }
        return keccak256(abi.encodePacked(nodeAt(name, offset + 1 + length), label));
    }

    function isOffchain(bytes memory answer) internal pure returns (bool) {
        return bytes4(answer) == OffchainLookup.selector;
    }

    function readOffchain(bytes memory answer) internal pure returns (Offchain memory offchain) {
        bytes memory inner = new bytes(answer.length - 4);
        assembly {
            mcopy(add(inner, 32), add(answer, 36), mload(inner))
        }
        (offchain.sender, offchain.urls, offchain.callData, offchain.callback, offchain.extraData) =
            abi.decode(inner, (address, string[], bytes, bytes4, bytes));
    }

    function hasFeature(address resolver, bytes4 feature) internal view returns (bool) {
        return hasInterface(resolver, type(IFeatures).interfaceId)
            && saysYes(resolver, abi.encodeCall(IFeatures.supportsFeature, (feature)));
    }

    function hasInterface(address resolver, bytes4 id) internal view returns (bool) {
        return saysYes(resolver, abi.encodeCall(IERC165.supportsInterface, (id)));
    }

    /// Reads one word only, and grants little gas: a resolver may return anything.
    function saysYes(address resolver, bytes memory question) internal view returns (bool) {
        uint256 gasGranted = INTERFACE_CHECK_GAS;
        bool ok;
        uint256 size;
        uint256 word;
        assembly {
            ok := staticcall(gasGranted, resolver, add(question, 32), mload(question), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        return ok && size >= 32 && word == 1;
    }
}
