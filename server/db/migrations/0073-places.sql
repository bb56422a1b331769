-- What travellers read: a row a public site, derived from the tables of records by triggers (server/db/places.ts),
-- and filled by the code that runs after this (decision 0084). Narrow, since a tile reads many of them; a change of
-- status changes no index.
create table places (
  id text collate "C" primary key,
  business text collate "C" not null,
  -- The position on the Z-order curve of the map (domain/cell.ts).
  cell bigint not null,
  latitude double precision not null,
  longitude double precision not null,
  -- Plugs with their power, and what is true of the whole site (domain/plug-group.ts).
  mask bigint not null,
  max_kw double precision not null,
  status text collate "C" not null,
  access text collate "C" not null,
  -- Without hours, and with hours that are always open, there is none.
  hours uuid,
  city text collate "C" not null,
  country text collate "C" not null
) with (fillfactor = 85);
create index places_cell on places (cell, id);
create index places_business on places (business);

-- What is said of each place.
create table place_docs (
  id text collate "C" primary key,
  updated timestamptz(3) not null,
  version bigint not null default nextval('record_version'),
  -- Of its name, address and business; and of its city. Folded.
  words tsvector not null,
  city_words tsvector not null,
  -- A PublicSite without `updated` (domain/public-site.ts).
  doc text collate "C" not null
) with (fillfactor = 85);
create index place_docs_words on place_docs using gin (words) with (fastupdate = off);

-- How many places of a kind there are in each square that is a cluster of a tile of zoom 0 to 5: 16 to a side.
-- Not kept by triggers, which would make all writes in a city wait for one another, but renewed (decision 0086).
create materialized view place_summary as
  with squares as materialized (
    select cell >> 34 as cell, mask, status, access, count(*) as count, sum(latitude) as latitude,
      sum(longitude) as longitude, max(max_kw) as max_kw, min(id) as id
    from places group by 1, mask, status, access)
  select zoom, (cell >> 2 * (5 - zoom))::int as cell, mask, status, access, sum(count)::int as count,
    sum(latitude) as latitude, sum(longitude) as longitude, max(max_kw) as max_kw, min(id) as id, null::uuid as hours
  from squares, generate_series(0, 5) zoom group by zoom, 2, mask, status, access;
create unique index place_summary_key on place_summary (zoom, cell, mask, status, access);

-- When it was renewed, after which version, how often since without a change; and whether tiles are made of it.
create table place_summaries (
  renewed timestamptz not null default '-infinity',
  version bigint not null default 0,
  idle int not null default 0,
  used boolean not null default false
);
insert into place_summaries default values;

-- Each of the opening hours in use, with its time zone. Entries may be repeated: no write waits for another one.
create table place_hours (
  id uuid not null,
  hours jsonb not null,
  time_zone text collate "C" not null
);
create index place_hours_id on place_hours (id);

-- The words of places, and their spellings with one letter less, by which a misspelt word is found.
create table place_words (
  word text collate "C" not null,
  spelling text collate "C" not null,
  primary key (word, spelling)
);
create index place_words_spelling on place_words (spelling);

-- Sites that were public until they were removed or deleted, and where they were.
create table removed_places (
  id text collate "C" primary key,
  latitude double precision not null,
  longitude double precision not null,
  removed timestamptz(3) not null default now()
);
