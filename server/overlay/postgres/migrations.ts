/** One step of the schema. A step that was released never changes. */
export interface Migration {
  /** Counts from 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly up: string;
  /** Takes back what `up` did, data included. */
  readonly down: string;
}

/** The tables the service itself reads and writes. */
export const SERVICE_TABLES = [
  'berth_entries',
  'berth_versions',
  'berth_records',
  'berth_probe',
  'berth_changes',
  'berth_bundles',
  'berth_current_bundle',
] as const;

// Names order as bytes everywhere in Berth. JSON is kept as text, exactly as it was written.
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'overlay',
    up: `
      CREATE TABLE berth_entries (
        source text COLLATE "C" NOT NULL,
        type text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        claims text NOT NULL,
        claims_key text NOT NULL,
        claims_changed_at bigint NOT NULL,
        PRIMARY KEY (source, type, name)
      );
      CREATE TABLE berth_versions (
        source text COLLATE "C" NOT NULL,
        type text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        version text COLLATE "C" NOT NULL,
        body text NOT NULL,
        tags text NOT NULL,
        tools text NOT NULL,
        status text NOT NULL,
        status_message text,
        published_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        status_changed_at bigint NOT NULL,
        PRIMARY KEY (source, type, name, version),
        FOREIGN KEY (source, type, name) REFERENCES berth_entries ON DELETE CASCADE
      );
      CREATE TABLE berth_records (
        kind text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        json text NOT NULL,
        PRIMARY KEY (kind, name)
      );
      CREATE TABLE berth_probe (
        id integer PRIMARY KEY CHECK (id = 1),
        filler bytea NOT NULL
      );
    `,
    down: 'DROP TABLE berth_probe, berth_records, berth_versions, berth_entries;',
  },
  {
    version: 2,
    name: 'replicas',
    up: `
      CREATE TABLE berth_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        origin text NOT NULL,
        kind text NOT NULL,
        source text NOT NULL,
        type text NOT NULL,
        name text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TABLE berth_bundles (
        source text COLLATE "C" NOT NULL,
        hash text COLLATE "C" NOT NULL,
        bytes bytea NOT NULL,
        times bytea,
        record text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (source, hash)
      );
      ALTER TABLE berth_bundles ALTER COLUMN bytes SET STORAGE EXTERNAL;
      CREATE TABLE berth_current_bundle (
        source text COLLATE "C" PRIMARY KEY,
        hash text COLLATE "C" NOT NULL,
        input text NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        FOREIGN KEY (source, hash) REFERENCES berth_bundles
      );
    `,
    down: 'DROP TABLE berth_current_bundle, berth_bundles, berth_changes;',
  },
];
