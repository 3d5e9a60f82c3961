/** The names by which engines call the machine they run on (specification 4.1). */
export const GATEWAY_NAMES = [
  'host.docker.internal',
  'gateway.docker.internal',
  'host.containers.internal',
] as const;

/** By which the server knows the gateway container, and the gateway the server, in their network. */
export const GATEWAY_ALIAS = 'berth-gateway';
export const SERVER_ALIAS = 'berth-server';

/** Where the gateway takes requests from the server. */
export const EGRESS_PORT = 3128;
/** First of the ports the gateway listens on for what comes in. */
export const FIRST_INGRESS_PORT = 20_000;
/** Where the configuration of the gateway lies in its container. */
export const GATEWAY_DIRECTORY = '/etc/berth-gateway';
