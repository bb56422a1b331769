-- Addresses that are read every night.
create table feeds (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  business text collate "C" not null references businesses on delete cascade,
  name text collate "C" not null default '',
  url text collate "C" not null,
  has_token boolean not null default false,
  format text collate "C" not null default '',
  is_active boolean not null default true,
  missing text collate "C" not null default 'KEEP',
  apply text[] collate "C" not null default '{}',
  state text collate "C" not null default 'OK',
  last_read text collate "C" not null default '',
  last_changed text collate "C" not null default '',
  problem jsonb not null default 'null',
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index feeds_business on feeds (business, created, id);

-- The token of a feed, apart from the record: nobody reads it.
create table feed_tokens (
  feed text collate "C" primary key references feeds on delete cascade,
  token text not null
);

-- When a feed is read next, and what is known of its last content.
create table feed_reads (
  feed text collate "C" primary key references feeds on delete cascade,
  due timestamptz(3) not null default now(),
  lease text not null default '',
  leased_until timestamptz(3) not null default now(),
  etag text not null default '',
  modified text not null default '',
  failures int not null default 0,
  -- The problem that its owner was last told of by mail.
  told text not null default ''
);
create index feed_reads_due on feed_reads (due);
