import { startStdioProxy } from '../../cli/proxy/stdio/start-stdio-proxy.ts';
import { reportHeld } from './report-held.ts';

/** The proxy of the measurement before a server on standard streams. Arguments: those of Node for the server. */
const proxy = await startStdioProxy({ server: process.argv.slice(2) });
reportHeld(Number(new URL(proxy.url).port));
