/**
 * Gives the tests `openAccount()`. Jest loads an environment with Node's own import, outside its module system:
 * the tests themselves may be CommonJS, with Babel, ts-jest or nothing.
 */
import { TestEnvironment } from "jest-environment-node";
import { connectSandbox } from "standin";

export default class StandinEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const sandbox = connectSandbox(process.env.STANDIN_URL);
    this.global.openAccount = () => sandbox.account();
  }
}
