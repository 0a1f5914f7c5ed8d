import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  parseAbiParameters,
} from "viem";
import type { Transaction } from "./mine.ts";

/** Writes down the transactions of one account, and knows where its contracts will be. */
export interface Deployer {
  address: Address;
  transactions: Transaction[];
  /** Creates a contract; `types` are its constructor's, as in Solidity. */
  create(code: Hex, types?: string, values?: readonly unknown[]): Address;
  send(to: Address, data: Hex): void;
}

/** Makes a deployer of an account that has sent nothing yet. */
export function createDeployer(address: Address): Deployer {
  const transactions: Transaction[] = [];
  return {
    address,
    transactions,
    create(code, types, values = []) {
      const nonce = BigInt(transactions.length);
      const args = types ? encodeAbiParameters(parseAbiParameters(types), values) : "0x";
      transactions.push({ from: address, data: concatHex([code, args]) });
      return getContractAddress({ from: address, nonce });
    },
    send(to, data) {
      transactions.push({ from: address, to, data });
    },
  };
}
