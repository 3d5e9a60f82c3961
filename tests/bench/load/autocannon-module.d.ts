// The part of autocannon that is used here; the package has no types.
declare module 'autocannon' {
  interface Client {
    setRequest(request: { method: string; path: string; headers: Record<string, string> }): void;
    on(event: 'response', listener: () => void): void;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly setupClient: (client: Client) => void;
  }
  interface Result {
    readonly requests: { readonly total: number; readonly average: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly errors: number;
    readonly '4xx': number;
    readonly '5xx': number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
