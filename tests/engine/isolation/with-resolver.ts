import { type Engine, LABELS } from '../../../cli/engine/engine.ts';

/** The engine, with a resolver of the tests for gateways instead of that of the host. */
export function withResolver(engine: Engine, resolver: string): Engine {
  return {
    ...engine,
    createContainer: (spec) =>
      engine.createContainer(spec.labels[LABELS.role] === 'gateway' ? { ...spec, dns: [resolver] } : spec),
  };
}
