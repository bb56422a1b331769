-- Files and feeds that owners bring in, and the plan of each.
create table imports (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  business text collate "C" not null references businesses on delete cascade,
  source text collate "C" not null default '',
  format text collate "C" not null default '',
  state text collate "C" not null default 'READING',
  file text collate "C" not null default '',
  columns jsonb not null default 'null',
  missing text collate "C" not null default 'KEEP',
  counts jsonb not null default 'null',
  total double precision not null default 0,
  done double precision not null default 0,
  problem jsonb not null default 'null',
  feed text collate "C" not null default '',
  started text collate "C" not null default '',
  finished text collate "C" not null default '',
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index imports_business on imports (business, created, id);
create index imports_updated on imports (updated);
-- An owner's imports are written one after the other.
create unique index imports_running on imports (business) where state in ('RUNNING', 'UNDOING');

create table import_rows (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  import text collate "C" not null references imports on delete cascade,
  number double precision not null,
  position text collate "C" not null default '',
  reference text collate "C" not null default '',
  name text collate "C" not null default '',
  action text collate "C" not null default '',
  included boolean not null default false,
  matched_by text collate "C" not null default '',
  doubtful boolean not null default false,
  candidates jsonb not null default 'null',
  duplicates jsonb not null default 'null',
  site text collate "C" not null default '',
  station jsonb not null default 'null',
  connectors double precision not null default 0,
  new_connectors double precision not null default 0,
  changes jsonb not null default 'null',
  repaired boolean not null default false,
  repairs jsonb not null default 'null',
  open_questions double precision not null default 0,
  questions jsonb not null default 'null',
  problem jsonb not null default 'null',
  state text collate "C" not null default 'PENDING',
  records jsonb not null default 'null',
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create unique index import_rows_import on import_rows (import, number);
create index import_rows_action on import_rows (import, action, number);
create index import_rows_site on import_rows (import, site) where site <> '';

-- What a process needs to go on with an import, apart from the record. Whoever holds the lease works on it, until the
-- lease runs out; a batch is committed only with the lease.
create table import_work (
  import text collate "C" primary key references imports on delete cascade,
  -- The last row that was planned, applied or undone.
  position int not null default 0,
  lease text not null default '',
  leased_until timestamptz(3) not null default now(),
  -- How often a lease has run out since the last batch.
  interruptions int not null default 0,
  -- The address to read, and its token.
  url text not null default '',
  token text not null default '',
  -- What a person has said about the columns of a table.
  mapping jsonb
);

-- The pieces of an import as they were read, until it is over. Pieces of one key make one station.
create table import_parts (
  import text collate "C" not null references imports on delete cascade,
  number int not null,
  key text collate "C" not null,
  position text not null,
  -- Null: unreadable, for the reason in `problem`.
  part jsonb,
  problem jsonb,
  primary key (import, number)
);
create index import_parts_key on import_parts (import, key);

-- The stations of an import: each key once, with the number of its first piece.
create table import_keys (
  import text collate "C" not null references imports on delete cascade,
  key text collate "C" not null,
  number int not null,
  primary key (import, key)
);
create unique index import_keys_number on import_keys (import, number);

-- The prices of an import, each content once, under the id that it has or will have.
create table import_tariffs (
  import text collate "C" not null references imports on delete cascade,
  tariff text collate "C" not null,
  content jsonb not null,
  -- The version that the run has left of a tariff that it created.
  created_version bigint,
  primary key (import, tariff)
);

-- The source that a site was last imported from.
create table site_sources (
  site text collate "C" primary key references sites on delete cascade,
  source text not null,
  -- The status that it had before an import marked it as removed.
  former_status text not null default ''
);
create index site_sources_source on site_sources (source);
