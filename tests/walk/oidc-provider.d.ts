// The part of the package the walk and the tests use; its own types are a package that is not installed.
declare module 'oidc-provider' {
  import type { Server, IncomingMessage, ServerResponse } from 'node:http';
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    listen(port: number, host: string, ready?: () => void): Server;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
