// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IBaseRegistrar, IRegistry} from "./Registrars.sol";

/// Holds the registrations of others, and knows whose they are until the end of their grace.
contract NameWrapper {
    /// namehash("eth")
    bytes32 constant ETH_NODE = 0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae;
    uint64 constant GRACE = 90 days;
    /// PARENT_CANNOT_CONTROL and IS_DOT_ETH, which every wrapped .eth name has.
    uint32 constant FUSES = 0x30000;

    struct Wrapped {
        address owner;
        uint64 expiry;
    }

    IRegistry immutable ens;
    IBaseRegistrar immutable registrar;
    mapping(uint256 => Wrapped) names;

    constructor(IRegistry ens_, IBaseRegistrar registrar_) {
        ens = ens_;
        registrar = registrar_;
    }

    function registerAndWrapETH2LD(
        string calldata label,
        address owner,
        uint256 duration,
        address resolver,
        uint16
    ) external returns (uint256 expires) {
        bytes32 labelHash = keccak256(bytes(label));
        bytes32 node = keccak256(abi.encodePacked(ETH_NODE, labelHash));
        expires = registrar.register(uint256(labelHash), address(this), duration);
        if (resolver != address(0)) ens.setResolver(node, resolver);
        names[uint256(node)] = Wrapped(owner, uint64(expires) + GRACE);
    }

    function getData(uint256 id) public view returns (address owner, uint32 fuses, uint64 expiry) {
        Wrapped storage wrapped = names[id];
        expiry = wrapped.expiry;
        if (expiry >= block.timestamp) (owner, fuses) = (wrapped.owner, FUSES);
    }

    function ownerOf(uint256 id) external view returns (address owner) {
        (owner,,) = getData(id);
    }
}
