-- Values that the server generates once and that all processes on this database share.
create table settings (
  name text primary key,
  value text not null
);

-- Every write of a record takes a new number, so a version is never seen twice, not even after an
-- id was deleted and used again. ETags are made of it.
create sequence record_version;

create table users (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  name text collate "C" not null default '',
  username text collate "C" not null default '',
  email text collate "C" not null default '',
  "emailVisibility" boolean not null default false,
  verified boolean not null default false,
  onboarded boolean not null default false,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create unique index users_username_key on users (username) where username <> '';
create unique index users_email_key on users (lower(email)) where email <> '';

-- Which account of which sign-in provider is which user (OpenID Connect Core 2: sub is unique within an issuer).
create table external_auths (
  provider text not null,
  provider_id text not null,
  "user" text collate "C" not null references users on delete cascade,
  created timestamptz(3) not null default now(),
  primary key (provider, provider_id)
);
create index external_auths_user on external_auths ("user");

-- A token is good while its session is here: deleting the row revokes it.
create table sessions (
  id text collate "C" primary key,
  "user" text collate "C" not null references users on delete cascade,
  created timestamptz(3) not null default now(),
  expires timestamptz(3) not null
);
create index sessions_user on sessions ("user");
create index sessions_expires on sessions (expires);

create table businesses (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  name text collate "C" not null default '',
  description text collate "C" not null default '',
  website text collate "C" not null default '',
  contact_email text collate "C" not null default '',
  logo text collate "C" not null default '',
  "user" text collate "C" not null references users on delete cascade,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version'),
  constraint businesses_user_key unique ("user")
);

create table sites (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  name text collate "C" not null check (name <> ''),
  address text collate "C" not null check (address <> ''),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  contact_email text collate "C" not null default '',
  contact_phone text collate "C" not null default '',
  cost text collate "C" not null default '',
  vehicle_capacity double precision not null default 0,
  photos text[] collate "C" not null default '{}',
  status text collate "C" not null default 'AVAILABLE',
  business text collate "C" not null references businesses on delete cascade,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index sites_business on sites (business, created, id);

create table connectors (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  standard text collate "C" not null,
  format text collate "C" not null,
  current_type text collate "C" not null,
  kw_rating double precision not null check (kw_rating > 0),
  site text collate "C" not null references sites on delete cascade,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index connectors_site on connectors (site, created, id);

-- Files that no record names any more. They are noted in the transaction that let go of them,
-- whatever the way (an update, a delete, a cascade), and taken from the store after it.
create table removed_files (
  collection text not null,
  record text not null,
  name text not null,
  removed timestamptz(3) not null default now(),
  primary key (collection, record, name)
);

create function note_removed_files() returns trigger language plpgsql as $$
declare
  held text[];
  kept text[] := '{}';
begin
  if tg_table_name = 'sites' then
    held := old.photos;
    if tg_op = 'UPDATE' then kept := new.photos; end if;
  else
    held := array[old.logo];
    if tg_op = 'UPDATE' then kept := array[new.logo]; end if;
  end if;
  insert into removed_files (collection, record, name)
    select tg_table_name, old.id, name from unnest(held) as name
    where name <> '' and name <> all (kept)
    on conflict do nothing;
  return null;
end
$$;

create trigger sites_removed_files after delete or update of photos on sites
  for each row execute function note_removed_files();
create trigger businesses_removed_files after delete or update of logo on businesses
  for each row execute function note_removed_files();
