// The server of the conformance suite on standard streams. Argument `modern`: it knows only the revision without sessions.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './make-server.ts';

serveStdio(({ era }) => makeServer(era), { legacy: process.argv[2] === 'modern' ? 'reject' : 'serve' });
