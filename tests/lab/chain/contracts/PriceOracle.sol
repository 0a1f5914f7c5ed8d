// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

struct Price {
    uint256 base;
    uint256 premium;
}

/// An ETH price in USD with eight decimals, as Chainlink's feeds have it.
contract PriceFeed {
    int256 public immutable latestAnswer;

    constructor(int256 usd) {
        latestAnswer = usd;
    }
}

/// Rent by length, and the premium that falls to nothing in the days after a name's grace.
contract PriceOracle {
    uint256 constant GRACE = 90 days;
    uint256 constant ONE = 1e18;

    PriceFeed public immutable usdOracle;
    /// attoUSD a second; the last row is for all longer names.
    uint256[] public rents;
    uint256 public immutable startPremium;
    uint256 public immutable endValue;

    constructor(PriceFeed feed, uint256[] memory rents_, uint256 startPremium_, uint256 totalDays) {
        usdOracle = feed;
        rents = rents_;
        startPremium = startPremium_;
        endValue = startPremium_ >> totalDays;
    }

    function price(string calldata name, uint256 expires, uint256 duration)
        external
        view
        returns (Price memory)
    {
        uint256 row = codePoints(name);
        if (row > rents.length) row = rents.length;
        return Price(toWei(rents[row - 1] * duration), toWei(premium(expires)));
    }

    function premium(uint256 expires) public view returns (uint256) {
        if (expires == 0 || expires + GRACE > block.timestamp) return 0;
        uint256 current = decayed(block.timestamp - expires - GRACE);
        return current > endValue ? current - endValue : 0;
    }

    /// Half of it each day: whole days by shifting, the rest of a day by halves of the exponent.
    function decayed(uint256 elapsed) public view returns (uint256 left) {
        uint256 daysGone = elapsed / 1 days;
        if (daysGone > 255) return 0;
        left = startPremium >> daysGone;
        uint256 fraction = ((elapsed % 1 days) << 16) / 1 days;
        uint256 factor = ONE / 2;
        for (uint256 bit = 1 << 15; bit > 0; bit >>= 1) {
            factor = squareRoot(factor * ONE);
            if (fraction & bit != 0) left = (left * factor) / ONE;
        }
    }

    function codePoints(string calldata text) public pure returns (uint256 count) {
        bytes calldata utf8 = bytes(text);
        for (uint256 i; i < utf8.length; i++) {
            if (uint8(utf8[i]) & 0xC0 != 0x80) count++;
        }
    }

    function toWei(uint256 attoUsd) internal view returns (uint256) {
        return (attoUsd * 1e8) / uint256(usdOracle.latestAnswer());
    }

    function squareRoot(uint256 x) internal pure returns (uint256 root) {
        root = x;
        for (uint256 next = x / 2 + 1; next < root; next = (x / next + next) / 2) root = next;
    }
}
