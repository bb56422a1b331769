create table tariffs (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  name text collate "C" not null check (name <> ''),
  currency text collate "C" not null,
  tax_included text collate "C" not null default 'YES',
  elements jsonb not null,
  min_price jsonb not null default 'null',
  max_price jsonb not null default 'null',
  url text collate "C" not null default '',
  business text collate "C" not null references businesses on delete cascade,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index tariffs_business on tariffs (business, created, id);
