// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IBaseRegistrar} from "./Registrars.sol";
import {Price, PriceOracle} from "./PriceOracle.sol";

/// What the controller on mainnet is asked before anybody pays: nothing is sold here.
contract EthRegistrarController {
    IBaseRegistrar immutable base;
    PriceOracle public immutable prices;

    constructor(IBaseRegistrar base_, PriceOracle prices_) {
        base = base_;
        prices = prices_;
    }

    function valid(string calldata label) public view returns (bool) {
        return prices.codePoints(label) >= 3;
    }

    function available(string calldata label) external view returns (bool) {
        return valid(label) && base.available(idOf(label));
    }

    function rentPrice(string calldata label, uint256 duration) external view returns (Price memory) {
        return prices.price(label, base.nameExpires(idOf(label)), duration);
    }

    function idOf(string calldata label) internal pure returns (uint256) {
        return uint256(keccak256(bytes(label)));
    }
}
