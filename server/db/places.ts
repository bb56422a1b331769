import { businesses } from '#domain/business.ts'
import { CELL_BITS, MAX_MAP_LATITUDE } from '#domain/cell.ts'
import type { Collection } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import {
  MASK_BITS,
  PLUG_GROUP_NAMES,
  PLUG_GROUPS,
  plugBit,
  POWER_CLASSES_KW,
} from '#domain/plug-group.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
} from '#domain/public-site.ts'
import { PUBLIC_READ_LIMITS } from '#domain/public-read.ts'
import { REGISTERS } from '#domain/registers.ts'
import {
  ACCENTS,
  MAX_MISSPELT_LENGTH,
  MAX_WORD_LENGTH,
  MIN_MISSPELT_LENGTH,
  SEPARATORS,
  SPELLED_OUT,
} from '#domain/search-words.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import { identifier, jsonText, recordColumns, verbatim, type Json } from './columns.ts'
import { LOCKS } from './locks.ts'

/** Tables that are derived from others: backups omit them, and a restore rebuilds them. */
export const DERIVED_TABLES = [
  'places',
  'place_docs',
  'place_hours',
  'place_words',
  'place_summaries',
] as const

/** The database functions that derive `places` and related tables (decision 0084). */
export const placeFunctions = (): string =>
  [
    foldFunctions(),
    CELL_FUNCTION,
    plugFunction(),
    SPELLINGS_FUNCTION,
    publicPlaces(),
    REST_FUNCTION,
    WRITE_FUNCTIONS,
  ].join('\n')

const foldFunctions = (): string => {
  const [from, to] = [1, 2].map((length) =>
    Object.entries(SPELLED_OUT).filter(([, spelled]) => spelled.length === length),
  )
  const single = `translate(lower(regexp_replace(normalize(said, nfkd), '${ACCENTS}', '', 'g') collate "default"),
    '${from?.map(([letter]) => letter).join('')}', '${from?.map(([, spelled]) => spelled).join('')}')`
  const folded = (to ?? []).reduce(
    (text, [letter, spelled]) => `replace(${text}, '${letter}', '${spelled}')`,
    single,
  )
  return `
-- As domain/search-words.ts does it.
create or replace function words_of(said text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(
    select left(word, ${MAX_WORD_LENGTH}) from regexp_split_to_table(
      ${folded},
      '${SEPARATORS}') word
    where word <> ''))
$$;
`
}

/** Computes the same as `cellOf` of domain/cell.ts. */
const CELL_FUNCTION = `
create or replace function spread_bits(number bigint) returns bigint language plpgsql immutable parallel safe as $$
begin
  number := (number | (number << 16)) & 281470681808895;
  number := (number | (number << 8)) & 71777214294589695;
  number := (number | (number << 4)) & 1085102592571150095;
  number := (number | (number << 2)) & 3689348814741910323;
  return (number | (number << 1)) & 6148914691236517205;
end
$$;
create or replace function cell_of(latitude float8, longitude float8) returns bigint
language plpgsql immutable parallel safe as $$
declare
  side constant float8 := ${2 ** CELL_BITS};
  held constant float8 := greatest(-${MAX_MAP_LATITUDE}, least(${MAX_MAP_LATITUDE}, latitude));
  x constant float8 := floor((longitude + 180) / 360 * side);
  y constant float8 := floor((0.5 - ln(tan(pi() / 4 + radians(held) / 2)) / (2 * pi())) * side);
begin
  return spread_bits(greatest(0, least(side - 1, x))::bigint)
    | (spread_bits(greatest(0, least(side - 1, y))::bigint) << 1);
end
$$;
`

/** The bit of a connector in the mask of its site (domain/plug-group.ts). */
const plugFunction = (): string => {
  const groups = PLUG_GROUP_NAMES.map(
    (name, index) =>
      `when standard in (${PLUG_GROUPS[name].map((each) => `'${each}'`).join(', ')}) then ${plugBit(index, 0)}`,
  )
  const classes = POWER_CLASSES_KW.map((kw, index) => `when kw_rating >= ${kw} then ${index}`)
  return `
create or replace function plug_bit(standard text, kw_rating float8) returns bigint
language sql immutable parallel safe as $$
  select 1::bigint << (case ${groups.join('\n    ')} end
    + case ${classes.toReversed().join(' ')} end)
$$;
`
}

const SPELLINGS_FUNCTION = `
-- As domain/search-words.ts does it.
create or replace function spellings_of(word text) returns setof text language sql immutable parallel safe as $$
  select word union
  select left(word, place - 1) || substr(word, place + 1) from generate_series(1, length(word)) place
  where length(word) between ${MIN_MISSPELT_LENGTH} and ${MAX_MISSPELT_LENGTH}
$$;
`

/** A number with one bit set; parenthesized, because all bit operators of PostgreSQL have the same precedence. */
const bit = (place: number): string => `(1::bigint << ${place})`

/** The public JSON of a record. */
export const publicJson = (
  collection: Collection,
  names: readonly string[],
  alias: string,
  more: readonly Json[] = [],
): string =>
  jsonText([
    ...recordColumns(collection, (name) => `${alias}.${identifier(name)}`)
      .filter(({ key }) => key === 'id' || names.includes(key))
      .map(({ key, json }) => [verbatim(`"${key}":`), ...json]),
    ...more,
  ])

/** A document in ordered rows; null if the documents before it fill a page. Its size is read without the document. */
export const boundedDoc = (doc: string, order: string): string =>
  `case when sum(octet_length(${doc})) over (order by ${order} rows unbounded preceding) - octet_length(${doc})
    < ${PUBLIC_READ_LIMITS.pageBytes} then ${doc} end`

/** Whether a site has all fields that OCPI requires. */
const isRoaming = (): string => {
  const { sites: ofSite, businesses: ofBusiness } = REGISTERS.ocpi.needed
  const filled = (alias: string) => (name: string) => `${alias}.${identifier(name)} <> ''`
  return [...ofSite.map(filled('s')), ...ofBusiness.map(filled('b'))].join(' and ')
}

/** The rows of the public ones among some sites (domain/publication.ts). */
const publicPlaces = (): string => `
drop function if exists public_places(text[]);
create function public_places(ids text[]) returns table (
  id text, business text, cell bigint, latitude float8, longitude float8, mask bigint, status text, access text,
  max_kw float8, hours uuid, opening_hours jsonb, time_zone text, city text, country text, words tsvector,
  updated timestamptz, doc text) language sql stable as $$
  select s.id, s.business, cell_of(s.latitude, s.longitude), s.latitude, s.longitude,
    coalesce(c.mask, 0)
      | case when 'FREE_OF_CHARGE' = any(s.payment) or c.charged <@ t.free then ${bit(MASK_BITS.free)} else 0 end
      | case when h.is_always_open then ${bit(MASK_BITS.alwaysOpen)} else 0 end,
    s.status, s.access, c.max_kw,
    case when s.opening_hours <> 'null' and not h.is_always_open
      then md5(s.opening_hours::text || ' ' || s.time_zone)::uuid end,
    s.opening_hours, s.time_zone, s.city, s.country,
    words_of(concat_ws(' ', s.name, s.address, s.city, s.postal_code, b.name)),
    greatest(s.updated, b.updated, c.updated, t.updated),
    ${publicJson(sites, PUBLIC_SITE_FIELDS, 's', [
      [verbatim('"business":'), publicJson(businesses, PUBLIC_BUSINESS_FIELDS, 'b')],
      [verbatim('"connectors":['), 'c.json', verbatim(']')],
      [verbatim('"tariffs":['), "coalesce(t.json, '')", verbatim(']')],
    ])}
  from sites s
  join businesses b on b.id = s.business
  cross join lateral (
    select string_agg(${publicJson(connectors, PUBLIC_CONNECTOR_FIELDS, 'c')},
        ',' order by c.kw_rating desc, c.created, c.id) as json,
      bit_or(plug_bit(c.standard, c.kw_rating)) as mask, max(c.kw_rating) as max_kw, max(c.updated) as updated,
      array_agg(c.tariff) as tariffs, array_agg(coalesce(c.tariff, s.tariff)) as charged
    from connectors c where c.site = s.id) c
  cross join lateral (
    select string_agg(${publicJson(tariffs, PUBLIC_TARIFF_FIELDS, 't')}, ',' order by t.created, t.id) as json,
      max(t.updated) as updated,
      array_agg(t.id) filter (where not t.elements @? '$[*].price_components[*].price ? (@ != 0)'
        and coalesce((t.min_price ->> 'before_taxes')::float8, 0) = 0
        and coalesce((t.min_price ->> 'after_taxes')::float8, 0) = 0) as free
    from tariffs t where t.id = any(c.tariffs || s.tariff)) t
  cross join lateral (
    select coalesce((s.opening_hours -> 'twentyfourseven')::boolean
      and coalesce(s.opening_hours -> 'exceptional_closings', '[]') = '[]', false) as is_always_open) h
  where s.id = any(ids) and c.json is not null and b.name <> '' and s.published and s.status <> 'REMOVED'
    and not s.hidden and not b.hidden
$$;
`

/**
 * Reduces a removed Location to what OCPI requires: its position is rounded to about a kilometre, and a charge point
 * has, instead of its name, the `uid` derived from it (`evseUid` of server/formats/ocpi/write.ts).
 */
const REST_FUNCTION = `
create or replace function rest_of(said text) returns text language sql immutable parallel safe as $$
  select jsonb_build_object(
    'id', d.doc -> 'id', 'city', d.doc -> 'city', 'country', d.doc -> 'country', 'time_zone', d.doc -> 'time_zone',
    'latitude', round((d.doc ->> 'latitude')::numeric, 2), 'longitude', round((d.doc ->> 'longitude')::numeric, 2),
    'connectors', (
      select jsonb_agg(jsonb_build_object('id', c.doc -> 'id', 'uid', case c.doc ->> 'evse' when '' then c.doc ->> 'id'
          else d.doc ->> 'id' || '-' || left(encode(sha256(convert_to(c.doc ->> 'evse', 'UTF8')), 'hex'), 16) end,
        'standard', c.doc -> 'standard', 'format', c.doc -> 'format', 'current_type', c.doc -> 'current_type',
        'kw_rating', c.doc -> 'kw_rating', 'voltage', c.doc -> 'voltage', 'amperage', c.doc -> 'amperage') order by c.place)
      from jsonb_array_elements(d.doc -> 'connectors') with ordinality c (doc, place)),
    'business', jsonb_build_object('id', d.doc #> '{business,id}', 'country_code', d.doc #> '{business,country_code}',
      'party_id', d.doc #> '{business,party_id}'))::text
  from (select said::jsonb as doc) d
$$;
`

const PLACE = [
  'business',
  'cell',
  'latitude',
  'longitude',
  'mask',
  'max_kw',
  'status',
  'access',
  'hours',
  'city',
  'country',
  'words',
]

/** Inserts rows, or updates those in which a column differs. */
const upsert = (
  table: string,
  columns: readonly string[],
  noted: Readonly<Record<string, string>>,
): string => {
  const of = (row: string): string => `(${columns.map((name) => `${row}.${name}`).join(', ')})`
  const changed = [...columns, ...Object.keys(noted)].join(', ')
  const values = [...columns.map((name) => `excluded.${name}`), ...Object.values(noted)].join(', ')
  return `on conflict (id) do update set (${changed}) = (${values})
    where ${of(table)} is distinct from ${of('excluded')}`
}

const PLACES_PER_BATCH = 200

const WRITE_FUNCTIONS = `
-- Makes the places of some sites agree with their records. A word that another transaction may be adding is left
-- to it, so that nobody waits. A session keeps the plan that it made while the tables were small, and would go on
-- reading them whole as they grow: so the plan always uses the indexes.
create or replace function write_places_batch(ids text[]) returns void language plpgsql
set enable_seqscan = off as $$
begin
  with made as materialized (select * from public_places(ids)),
  gone as (
    delete from places p where p.id = any(ids) and not exists (select from made m where m.id = p.id)
    returning p.id, p.latitude, p.longitude, p.business),
  said_no_more as (delete from place_docs d using gone g where d.id = g.id returning d.id, d.doc),
  withdrawn as (
    update place_numbers n set (updated, version, roaming, rest) = (now(), nextval('record_version'), false,
      case when n.roaming then rest_of(d.doc) else n.rest end)
    from said_no_more d where n.id = d.id),
  noted as (
    insert into removed_places (id, latitude, longitude, business)
    select g.id, g.latitude, g.longitude, g.business from gone g left join sites s on s.id = g.id
    where s.id is null or (s.status = 'REMOVED' and s.published and not s.hidden)
    on conflict do nothing),
  back as (
    delete from removed_places r using sites s where r.id = any(ids) and s.id = r.id and s.status <> 'REMOVED'),
  hours as (
    insert into place_hours (id, hours, time_zone)
    select distinct m.hours, m.opening_hours, m.time_zone from made m
    where m.hours is not null and not exists (select from place_hours h where h.id = m.hours)),
  fresh as materialized (
    select said.word from (
      select distinct word from made m, unnest(tsvector_to_array(m.words)) word
      where not exists (select from places p where p.id = m.id and p.words = m.words)) said
    where not exists (select from place_words w where w.word = said.word and w.spelling = said.word)),
  words as (
    insert into place_words (word, spelling)
    select f.word, spelling from fresh f, spellings_of(f.word) spelling
    where pg_try_advisory_xact_lock(${LOCKS.placeWords}, hashtext(f.word) & 63)
    on conflict do nothing),
  said as (
    insert into place_docs (id, doc, updated)
    select id, doc, updated from made
    ${upsert('place_docs', ['doc'], { updated: 'greatest(excluded.updated, now())', version: "nextval('record_version')" })}
    returning id, updated, version),
  numbered as (
    insert into place_numbers as n (id, business, updated, version, roaming, listed)
    select d.id, s.business, d.updated, d.version, r.roaming, r.roaming
    from said d join sites s on s.id = d.id join businesses b on b.id = s.business
    cross join lateral (select ${isRoaming()} as roaming) r
    on conflict (id) do update set (business, updated, version, roaming, listed, rest) =
      (excluded.business, excluded.updated, excluded.version, excluded.roaming, n.listed or excluded.roaming,
      case when excluded.roaming then null
        when n.roaming then (select rest_of(d.doc) from place_docs d where d.id = n.id) else n.rest end))
  insert into places (id, ${PLACE.join(', ')}) select id, ${PLACE.join(', ')} from made
    ${upsert('places', PLACE, {})};
end
$$;

-- In batches: whatever the statistics were when its plan was made, a batch compares few rows with each other.
create or replace function write_places(ids text[]) returns void language plpgsql as $$
begin
  for start in 1 .. cardinality(ids) by ${PLACES_PER_BATCH} loop
    perform write_places_batch(ids[start : start + ${PLACES_PER_BATCH - 1}]);
  end loop;
end
$$;

-- The same within a write of sites or connectors. Writes of a site follow one another, and a change of its business or
-- prices follows those under way, or they follow it: so each sees what those before it have written.
create or replace function refresh_places(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then return; end if;
  perform pg_advisory_xact_lock_shared(${LOCKS.placeHours});
  perform pg_advisory_xact_lock_shared(${LOCKS.placesOfBusiness}, b.key)
    from (select distinct hashtext(s.business) as key from sites s where s.id = any(ids) order by 1) b;
  perform from sites s where s.id = any(ids) order by s.id for no key update;
  perform write_places(ids);
end
$$;

-- Before the places of whole businesses are made anew. No row of a site is locked: who has one may wait for this.
create or replace function lock_places_of(businesses text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(${LOCKS.placeHours});
  perform pg_advisory_xact_lock(${LOCKS.placesOfBusiness}, b.key)
    from (select distinct hashtext(id) as key from unnest(businesses) id order by 1) b;
end
$$;

-- Derives all places again.
create or replace function rebuild_places() returns void language plpgsql as $$
declare
  ids text[];
  last text := '';
begin
  delete from places;
  delete from place_docs;
  delete from place_hours;
  delete from place_words;
  loop
    ids := array(select s.id from sites s where s.id > last order by s.id limit 1000);
    exit when cardinality(ids) = 0;
    perform write_places(ids);
    last := ids[cardinality(ids)];
  end loop;
  update place_numbers n set roaming = false, listed = n.rest is not null
  where n.roaming and not exists (select from place_docs d where d.id = n.id);
end
$$;

-- Whether the summary may lack something, and is not renewed more than a quarter of the time. A transaction that was not
-- committed yet may have a version from before: so it is renewed a few times more after the last one.
create or replace function is_summary_due() returns boolean language sql as $$
  select not exists (select from place_summaries s
    where s.version = (select last_value from record_version) and s.idle >= 4
      or s.renewed > clock_timestamp() - greatest(interval '20 s', 3 * s.took))
$$;

-- Renews the summary if it is due, and no other process is about to.
create or replace function summarize_places(least_count int) returns void language plpgsql as $$
declare
  at_version constant bigint := (select last_value from record_version);
  begun constant timestamptz := clock_timestamp();
begin
  if not pg_try_advisory_xact_lock(${LOCKS.placeSummary}) then return; end if;
  if not is_summary_due() then return; end if;
  refresh materialized view concurrently place_summary;
  refresh materialized view concurrently place_squares;
  update place_summaries s set
    renewed = clock_timestamp(),
    took = clock_timestamp() - begun,
    idle = case when s.version = at_version then s.idle + 1 else 0 end,
    version = at_version,
    used = coalesce((select sum(p.count) from place_squares p where p.zoom = 0), 0) >= least_count;
end
$$;

create or replace function places_follow_sites() returns trigger language plpgsql as $$
begin
  perform refresh_places(array(select r.id from changed r));
  return null;
end
$$;

-- The address of a public site stays that of its business, on posters, in frames and in feeds of others.
create or replace function places_follow_new_sites() returns trigger language plpgsql as $$
begin
  if exists (select from changed r join removed_places d on d.id = r.id where d.business not in ('', r.business)) then
    raise unique_violation using constraint = 'sites_pkey', message = 'the id was that of a site of somebody else';
  end if;
  return null;
end
$$;

create or replace function places_follow_new_businesses() returns trigger language plpgsql as $$
begin
  if exists (select from changed r join removed_places d on d.business = r.id) then
    raise unique_violation using constraint = 'businesses_pkey', message = 'the id was that of another business';
  end if;
  return null;
end
$$;

create or replace function places_follow_connectors() returns trigger language plpgsql as $$
begin
  perform refresh_places(array(select distinct r.site from changed r));
  return null;
end
$$;

create or replace function places_follow_changed_connectors() returns trigger language plpgsql as $$
begin
  perform refresh_places(array(select r.site from changed r union select r.site from former r));
  return null;
end
$$;

create or replace function places_follow_businesses() returns trigger language plpgsql as $$
declare
  ids constant text[] := array(
    select r.id from former o join changed r on r.id = o.id
    where ${differ([...PUBLIC_BUSINESS_FIELDS, 'hidden'])});
begin
  if cardinality(ids) = 0 then return null; end if;
  perform lock_places_of(ids);
  perform write_places(array(select s.id from sites s where s.business = any(ids)));
  return null;
end
$$;

create or replace function places_follow_tariffs() returns trigger language plpgsql as $$
declare
  ids constant text[] := array(
    select r.id from former o join changed r on r.id = o.id where ${differ(PUBLIC_TARIFF_FIELDS)});
begin
  if cardinality(ids) = 0 then return null; end if;
  perform lock_places_of(array(select r.business from changed r where r.id = any(ids)));
  perform write_places(array(
    select s.id from sites s where s.tariff = any(ids)
    union select c.site from connectors c where c.tariff = any(ids)));
  return null;
end
$$;
`

function differ(names: readonly string[]): string {
  const of = (alias: string): string =>
    names.map((name) => `${alias}.${identifier(name)}`).join(', ')
  return `(${of('o')}) is distinct from (${of('r')})`
}

/**
 * The triggers that maintain the places. A new site has no connectors and is not public, and a new business has no
 * sites: only their ids are checked. Rows that are deleted by a cascade fire the triggers of their own table.
 */
export const placeTriggers = (): string => {
  const trigger = (table: string, event: string, transition: string, run: string): string =>
    `create trigger "${table}_places_${event}" after ${event} on "${table}" referencing ${transition}
  for each statement execute function places_follow_${run}();`
  const both = 'old table as former new table as changed'
  return [
    trigger('sites', 'insert', 'new table as changed', 'new_sites'),
    trigger('sites', 'update', 'new table as changed', 'sites'),
    trigger('sites', 'delete', 'old table as changed', 'sites'),
    trigger('connectors', 'insert', 'new table as changed', 'connectors'),
    trigger('connectors', 'update', both, 'changed_connectors'),
    trigger('connectors', 'delete', 'old table as changed', 'connectors'),
    trigger('businesses', 'insert', 'new table as changed', 'new_businesses'),
    trigger('businesses', 'update', both, 'businesses'),
    trigger('tariffs', 'update', both, 'tariffs'),
  ].join('\n')
}

/** Rebuilds the tables if other versions of these functions have filled them. */
export const fillPlaces = (checksum: string): string => `
do $$
begin
  if obj_description('places'::regclass, 'pg_class') is distinct from '${checksum}' then
    perform rebuild_places();
    comment on table places is '${checksum}';
  end if;
end
$$;`
