// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC165, IExtendedResolver, IFeatures, IRecords, OffchainLookup, RESOLVE_MULTICALL} from
    "./Resolvers.sol";

/// Answers for every name, out of its head: a wildcard of ENSIP-10 that stays on chain.
contract WildcardResolver is IERC165, IExtendedResolver {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IExtendedResolver).interfaceId;
    }

    function resolve(bytes calldata name, bytes calldata data) external pure returns (bytes memory) {
        if (bytes4(data) == IRecords.addr.selector) return abi.encode(address(uint160(uint256(keccak256(name)))));
        if (bytes4(data) == IRecords.contenthash.selector) return abi.encode("");
        if (bytes4(data) != IRecords.text.selector) return "";
        (, string memory key) = abi.decode(data[4:], (bytes32, string));
        return abi.encode(string.concat("wildcard ", key));
    }
}

/// Sends whoever asks to a URL of its choice, and believes whatever comes back.
contract OffchainPointer is IERC165, IExtendedResolver, IFeatures {
    string public url;
    bool immutable takesMulticalls;

    constructor(string memory url_, bool takesMulticalls_) {
        url = url_;
        takesMulticalls = takesMulticalls_;
    }

    function supportsInterface(bytes4 id) external view returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IExtendedResolver).interfaceId
            || (takesMulticalls && id == type(IFeatures).interfaceId);
    }

    function supportsFeature(bytes4 feature) external view returns (bool) {
        return takesMulticalls && feature == RESOLVE_MULTICALL;
    }

    function resolve(bytes calldata, bytes calldata) external view returns (bytes memory) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, msg.data, this.believe.selector, "");
    }

    /// Takes what the offchain gateway answers, without looking at expiry and signature.
    function believe(bytes calldata response, bytes calldata) external pure returns (bytes memory result) {
        (result,,) = abi.decode(response, (bytes, uint64, bytes));
    }
}

/// Spends all the gas it is given.
contract GasBurner {
    fallback() external {
        while (true) {}
    }
}

/// Returns four megabytes for every question.
contract MemoryBomb {
    fallback() external {
        assembly {
            return(0, 4000000)
        }
    }
}

/// Has an address, and a text of a million letters: for one key, or for every key where none is named.
contract HugeText {
    string key;

    constructor(string memory key_) {
        key = key_;
    }

    function addr(bytes32) external view returns (address) {
        return address(this);
    }

    function text(bytes32, string calldata asked) external view returns (string memory) {
        bool huge = bytes(key).length == 0 || keccak256(bytes(key)) == keccak256(bytes(asked));
        if (!huge) return asked;
        assembly {
            mstore(0, 32)
            mstore(32, 1000000)
            for { let at := 64 } lt(at, 1000064) { at := add(at, 32) } {
                mstore(at, 0x6161616161616161616161616161616161616161616161616161616161616161)
            }
            return(0, 1000064)
        }
    }
}

/// Has texts that are no UTF-8.
contract BrokenText {
    function text(bytes32, string calldata) external pure returns (bytes memory) {
        return hex"68c3f0ff9f2e";
    }
}

/// Refuses every question.
contract Refuser {
    fallback() external {
        revert("Refuser: no");
    }
}

/// Answers every question with words that no ABI type decodes from.
contract Babbler {
    fallback() external {
        assembly {
            mstore(0, not(0))
            mstore(32, not(0))
            mstore(64, not(0))
            return(0, 96)
        }
    }
}

/// Returns a `bytes[]` whose offsets all point at the same element: small as bytes, gigabytes once decoded.
contract AbiBomb is IERC165, IExtendedResolver, IFeatures {
    uint256 immutable items;
    uint256 immutable itemSize;

    constructor(uint256 items_, uint256 itemSize_) {
        items = items_;
        itemSize = itemSize_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IExtendedResolver).interfaceId
            || id == type(IFeatures).interfaceId;
    }

    function supportsFeature(bytes4 feature) external pure returns (bool) {
        return feature == RESOLVE_MULTICALL;
    }

    function resolve(bytes calldata, bytes calldata) external view returns (bytes memory bomb) {
        uint256 count = items;
        uint256 size = itemSize;
        bomb = new bytes(96 + 32 * count + size);
        assembly {
            let at := add(bomb, 32)
            mstore(at, 32)
            mstore(add(at, 32), count)
            at := add(at, 64)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                mstore(add(at, mul(32, i)), mul(32, count))
            }
            mstore(add(at, mul(32, count)), size)
        }
    }
}
