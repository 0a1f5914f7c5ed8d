// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What ours need of the real BaseRegistrar and of the real registry.
interface IBaseRegistrar {
    function nameExpires(uint256 id) external view returns (uint256);
    function available(uint256 id) external view returns (bool);
    function register(uint256 id, address owner, uint256 duration) external returns (uint256);
}

interface IRegistry {
    function resolver(bytes32 node) external view returns (address);
    function setResolver(bytes32 node, address resolver) external;
}
