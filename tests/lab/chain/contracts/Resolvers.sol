// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IERC165 {
    function supportsInterface(bytes4 id) external view returns (bool);
}

/// ENSIP-10
interface IExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

/// ERC-7996
interface IFeatures {
    function supportsFeature(bytes4 feature) external view returns (bool);
}

/// ENSIP-21
interface IBatchGateway {
    struct Request {
        address sender;
        string[] urls;
        bytes data;
    }

    function query(Request[] calldata requests)
        external
        view
        returns (bool[] memory failures, bytes[] memory responses);
}

/// What single records are asked for with.
interface IRecords {
    function addr(bytes32 node) external view returns (address);
    function text(bytes32 node, string calldata key) external view returns (string memory);
    function contenthash(bytes32 node) external view returns (bytes memory);
    function multicall(bytes[] calldata calls) external returns (bytes[] memory);
}

/// EIP-3668
error OffchainLookup(
    address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData
);

// ERC-7996: resolve() takes a whole multicall.
bytes4 constant RESOLVE_MULTICALL = bytes4(keccak256("eth.resolver.extended.multicall"));
