/** The block of `_meta` that only a registry writes: status, dates, isLatest. */
export const OFFICIAL_META = 'io.modelcontextprotocol.registry/official';
/** The block of `_meta` that the publisher of an entry writes. */
export const PUBLISHER_META = 'io.modelcontextprotocol.registry/publisher-provided';
/** The block of `_meta` in which this registry says where an entry came from. */
export const ORIGIN_META = 'dev.berth/origin';
