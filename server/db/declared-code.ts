import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { isReadOnly, type Collection } from '#domain/collection.ts'
import { fileFields } from '#domain/field.ts'

import { cellsFunction } from './cells.ts'
import {
  columnType,
  identifier,
  jsonText,
  literal,
  mayBeNull,
  recordColumns,
  verbatim,
} from './columns.ts'
import { fillPlaces, placeFunctions, placeTriggers } from './places.ts'

/**
 * Functions, triggers and generated columns of the database: SQL that may run repeatedly, and the checksum that shows
 * whether it has run.
 */
export interface Code {
  readonly text: string
  readonly checksum: string
}

type Collections = readonly Collection[]

const FUNCTIONS = join(import.meta.dirname, 'functions.sql')
/** The columns of the change log that name a record on the owner path, and its collection. */
const NAMED = { business: 'businesses', site: 'sites' } as const

/**
 * The code of the database for the declared collections. It writes the change log, records the files that a row
 * releases, stores the JSON of a row in the row, and maintains the places that travellers read. Drops the triggers of
 * collections that are no longer declared.
 */
export const declaredCode = (collections: Collections): Code => {
  const places = placeFunctions()
  const text = [
    readFileSync(FUNCTIONS, 'utf8').replaceAll('\r\n', '\n'),
    cellsFunction(),
    ownerFunction(collections),
    places,
    DROP_TRIGGERS,
    ...collections.flatMap((collection) => uniqueAmongOwner(collections, collection)),
    ...collections.flatMap(limitedRelations),
    ...collections.flatMap(limitedTargets),
    ...collections.filter(isLogged).map((collection) => createdFunction(collections, collection)),
    ...collections.flatMap(triggersOf),
    placeTriggers(),
    ...collections.filter(({ storesJson }) => storesJson).map(storedJson),
    fillPlaces(checksumOf(places)),
  ].join('\n')
  return { text, checksum: checksumOf(text) }
}

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Whether changes of a collection are logged: it has an owner, and not only the server writes it. */
export const isLogged = (collection: Collection): boolean =>
  collection.owner !== null && !isReadOnly(collection)

/**
 * Finds the owner of a record, and the business and the site that it belongs to. In a cascade the parent is deleted
 * first; its log entry of the same transaction then has them. An older entry may belong to another record with the same
 * id. The statements are fixed, so their plans are cached; planning a statement that is built from arguments would cost
 * each write 0.1 ms.
 */
const ownerFunction = (collections: Collections): string => `
create or replace function owner_of(
  of_collection text, record jsonb, out owner text, out business text, out site text)
language plpgsql as $$
begin
  business := '';
  site := '';
  case of_collection${collections
    .filter(isLogged)
    .map(
      (collection) => `
    when '${collection.name}' then${ownerLookup(collections, collection)}`,
    )
    .join('')}
  end case;
end
$$;
`

const ownerLookup = (collections: Collections, collection: Collection): string => {
  const path = (collection.owner ?? '').split('.')
  const first = path[0] ?? ''
  const own = nameOf(collection.name)
  const noteOwn = own === undefined ? '' : `\n      ${own} := record ->> 'id';`
  if (path.length === 1) return `\n      owner := record ->> '${first}';${noteOwn}`

  const parents = parentsOf(collections, collection, path.slice(0, -1))
  const from = parents.map(({ name }, index) =>
    index === 0
      ? `"${name}" p0`
      : `join "${name}" p${index} on p${index}.id = p${index - 1}."${path[index]}"`,
  )
  const last = parents.length - 1
  const values: Record<string, string> = { owner: `p${last}."${path.at(-1)}"` }
  for (const [index, { name }] of parents.entries()) {
    const column = nameOf(name)
    if (column !== undefined) values[column] = `p${index}.id`
  }
  const columns = Object.keys(values)
  return `
      select ${Object.values(values).join(', ')} into ${columns.join(', ')}
        from ${from.join(' ')} where p0.id = owner_of.record ->> '${first}';
      if not found then
        select ${columns.map((column) => `c.${column}`).join(', ')} into ${columns.join(', ')} from change_log c
          where c.record = owner_of.record ->> '${first}' and c.collection = '${parents[0]?.name}'
            and c.action = 'delete' and c.xmin = pg_current_xact_id()::xid
          order by c.id desc limit 1;
      end if;${noteOwn}`
}

/**
 * Writes the change log of new records, for all rows of a statement together: a row trigger would take more than half
 * of the time of a bulk insert (decision 0116).
 */
const createdFunction = (collections: Collections, collection: Collection): string => {
  const { name, owner, fields, audited = true } = collection
  const path = (owner ?? '').split('.')
  const parents = parentsOf(collections, collection, path.slice(0, -1))
  const joins = parents.map(
    (parent, index) =>
      `left join "${parent.name}" p${index} on p${index}.id = ${index === 0 ? 'r' : `p${index - 1}`}."${path[index]}"`,
  )
  const whose = `${parents.length === 0 ? 'r' : `p${parents.length - 1}`}."${path.at(-1)}"`
  const idIn = (column: keyof typeof NAMED): string => {
    if (NAMED[column] === name) return 'r.id'
    const index = parents.findIndex((parent) => parent.name === NAMED[column])
    return index < 0 ? "''" : `coalesce(p${index}.id, '')`
  }
  // Omits the stored JSON. An empty relation, which is null in the row, becomes an empty text.
  const members = ['id', 'version', ...Object.keys(fields)].map((key) => {
    const column = `r.${identifier(key)}`
    return fields[key] && mayBeNull(fields[key])
      ? `coalesce(${column}, '') as ${identifier(key)}`
      : column
  })
  // The rows have few of many parents, which are looked up by index, whatever the tables contained when the plan was
  // made (decision 0140).
  return `
create or replace function log_created_${name}() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  actor constant text := coalesce(nullif(current_setting('voltleaf.actor', true), ''), 'server');
  correlation constant text := coalesce(current_setting('voltleaf.correlation_id', true), '');
  filled_in constant text[] := coalesce(string_to_array(current_setting('voltleaf.filled_in', true), ','), '{}');
  is_heard constant boolean := is_listened_to();
  logged record;
begin
  if not ${String(audited)} and not is_heard then return null; end if;
  for logged in
    insert into change_log (id, version, owner, collection, record, business, site, action, actor_type, actor,
        impersonator, state, kept, filled_in, correlation_id)
      select lpad(to_hex(m.number), 15, '0'), m.number, m.owner, '${name}', m.id, m.business, m.site, 'create',
        split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3), m.holds, ${String(audited)},
        filled_in, correlation
      from (
        select nextval('record_version') as number, r.id, coalesce(${whose}, '') as owner, ${idIn('business')} as business,
          ${idIn('site')} as site,
          to_jsonb(s) as holds
        from changed r ${joins.join(' ')} cross join lateral (select ${members.join(', ')}) s) m
      returning change_log.id, change_log.record, change_log.owner
  loop
    exit when not is_heard;
    perform pg_notify('realtime', concat_ws(' ', 'create', '${name}', logged.record, logged.id, logged.owner));
  end loop;
  return null;
end
$$;`
}

/** The collections along a path of relations. */
const parentsOf = (
  collections: Collections,
  from: Collection,
  path: readonly string[],
): Collections => {
  const parents: Collection[] = []
  let at = from
  for (const step of path) {
    const field = at.fields[step]
    const to = field?.kind === 'relation' ? field.to : undefined
    const parent = collections.find(({ name }) => name === to)
    if (parent === undefined) throw new TypeError(`no relation: ${at.name}.${step}`)
    parents.push(parent)
    at = parent
  }
  return parents
}

/**
 * Keeps values unique among the records of one owner. No index can do so, because the owner is in another table. Writes
 * of such values by one owner wait for each other, and then see the values written before. Scalar subqueries are never
 * planned as joins, so every row is looked up by an index, whatever the statistics were when a session made its plan.
 */
const uniqueAmongOwner = (collections: Collections, collection: Collection): string[] => {
  const { name, fields } = collection
  const names = Object.keys(fields).filter((key) => fields[key]?.unique === 'owner')
  if (names.length === 0) return []
  const path = (collection.owner ?? '').split('.')
  const ownerOf = (row: string): string =>
    parentsOf(collections, collection, path.slice(0, -1)).reduce(
      (key, parent, index) =>
        `(select p."${path[index + 1]}" from "${parent.name}" p where p.id = ${key})`,
      `${row}."${path[0]}"`,
    )
  const checks = names.map(
    (key) => `
  if exists (
    select from "${name}" r where r.id = any(ids) and r."${key}" <> '' and (
      select true from "${name}" o where o."${key}" = r."${key}" and o."${key}" <> '' and o.id <> r.id
        and ${ownerOf('o')} = ${ownerOf('r')} limit 1)) then
    raise unique_violation using constraint = '${name}_${key}_key', message = 'not unique among its owner''s';
  end if;`,
  )
  const columns = [...names, path[0] ?? ''].map(identifier)
  const isSaid = (row: string): string => names.map((key) => `${row}."${key}" <> ''`).join(' or ')
  const trigger = (event: string, text: string): string =>
    `create trigger "${name}_among_owner_${event}" after ${text} execute function ${name}_among_owner();`
  return [
    `
create or replace function ${name}_among_owner() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  ids text[];
begin
  if tg_op = 'INSERT' then ids := array(select r.id from changed r where ${isSaid('r')});
  else ids := array[new.id]; end if;
  if cardinality(ids) = 0 then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('unique among ' || o.whose, 0))
    from (select distinct ${ownerOf('r')} as whose from "${name}" r where r.id = any(ids) order by 1) o;${checks.join('')}
  return null;
end
$$;`,
    trigger('insert', `insert on "${name}" referencing new table as changed for each statement`),
    trigger(
      'update',
      `update of ${columns.join(', ')} on "${name}" for each row when (${isSaid('new')})`,
    ),
  ]
}

/**
 * Enforces the maximum number of records that refer to one target. Writes that add to the same target are serialized,
 * so that each counts the records written before. The rows before and after an update are compared as sets: a join
 * whose plan was made for one row compares each row with each.
 */
const limitedRelations = ({ name, fields }: Collection): string[] =>
  Object.entries(fields).flatMap(([key, field]) => {
    if (field.kind !== 'relation' || field.maxReferring === undefined) return []
    const column = identifier(key)
    const max = field.maxReferring
    return [
      `
create or replace function ${name}_${key}_limit() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  ids text[];
begin
  if tg_op = 'INSERT' then ids := array(select distinct r.${column} from changed r);
  else
    ids := array(select distinct m.${column} from (
      select id, ${column} from changed except select id, ${column} from former) m);
  end if;
  if cardinality(ids) = 0 then return null; end if;
  perform from "${field.to}" t where t.id = any(ids) order by t.id for no key update;
  if exists (
    select from unnest(ids) target
    where (select count(*) from (select from "${name}" r where r.${column} = target limit ${max + 1}) referring) > ${max}) then
    raise check_violation using constraint = '${name}_${key}_limit', message = 'too many refer to the same record';
  end if;
  return null;
end
$$;`,
      ...limitTriggers(name, key),
    ]
  })

/** The triggers of such a limit. They run once for all rows of a statement, such as that of a batch of an import. */
const limitTriggers = (name: string, key: string): string[] => {
  const trigger = (event: string, tables: string): string =>
    `create trigger "${name}_within_${key}_limit_${event}" after ${event} on "${name}" referencing ${tables}
  for each statement execute function ${name}_${key}_limit();`
  return [
    trigger('insert', 'new table as changed'),
    trigger('update', 'old table as former new table as changed'),
  ]
}

/**
 * Enforces the maximum number of targets of the records that have another relation in common, such as the prices of the
 * connectors of a site. Only a target that no other of these records has can exceed it. Writes that add one are serialized
 * by a lock of the record in common.
 */
const limitedTargets = ({ name, fields }: Collection): string[] =>
  Object.entries(fields).flatMap(([key, field]) => {
    if (field.kind !== 'relation' || field.maxDistinct === undefined) return []
    const { of, max } = field.maxDistinct
    const common = fields[of]
    if (common?.kind !== 'relation') throw new TypeError(`no relation: ${name}.${of}`)
    const column = identifier(key)
    return [
      `
create or replace function ${name}_${key}_limit() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  ids text[];
  shared text[];
begin
  if tg_op = 'INSERT' then ids := array(select r.id from changed r where r.${column} is not null);
  else
    ids := array(select m.id from (
      select id, ${column}, "${of}" from changed where ${column} is not null
      except select id, ${column}, "${of}" from former) m);
  end if;
  if cardinality(ids) = 0 then return null; end if;
  shared := array(select distinct r."${of}" from "${name}" r where r.id = any(ids));
  perform from "${common.to}" t where t.id = any(shared) order by t.id for no key update;
  if exists (
    select from unnest(shared) s (id)
    where (select count(distinct r.${column}) from "${name}" r where r."${of}" = s.id) > ${max}
      and exists (select from "${name}" n where n.id = any(ids) and n."${of}" = s.id and not exists (
        select from "${name}" o where o."${of}" = s.id and o.${column} = n.${column} and o.id <> all(ids)))) then
    raise check_violation using constraint = '${name}_${key}_limit', message = 'too many different targets';
  end if;
  return null;
end
$$;`,
      ...limitTriggers(name, key),
    ]
  })

const nameOf = (collection: string): string | undefined =>
  Object.entries(NAMED).find(([, name]) => name === collection)?.[0]

/** Includes the triggers of collections that are no longer declared. */
const DROP_TRIGGERS = `
do $$
declare
  found record;
begin
  for found in
    select t.tgname as name, t.tgrelid::regclass as of_table
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and p.pronamespace = current_schema()::regnamespace and (p.proname in
      ('log_change', 'forget_changes', 'note_removed_files') or p.proname like '%_among_owner'
        or p.proname like '%_limit'
        or p.proname like 'log_created_%'
        or p.proname like 'places_follow_%')
  loop
    execute format('drop trigger %I on %s', found.name, found.of_table);
  end loop;
end
$$;`

const triggersOf = (collection: Collection): string[] => {
  const { name, owner, fields, audited = true } = collection
  const files = fileFields(collection).map(([key]) => key)
  const trigger = (suffix: string, when: string, call: string): string =>
    `create trigger "${name}_${suffix}" ${when} on "${name}" for each row execute function ${call};`
  const empty = Object.keys(fields).filter((key) => fields[key] && mayBeNull(fields[key]))
  const log = `log_change(${[owner?.split('.')[0] ?? '', String(audited), ...empty].map(literal).join(', ')})`
  return [
    ...(isLogged(collection)
      ? [
          trigger('log', 'after update', log),
          `create trigger "${name}_log_created" after insert on "${name}" referencing new table as changed
  for each statement execute function log_created_${name}();`,
          // Before the row is deleted, and so before the rows that depend on it.
          trigger('log_deleted', 'before delete', log),
        ]
      : []),
    // Runs after everything that the account owned: triggers fire in the order of their names, and cascades begin with
    // "RI_".
    ...(owner === 'id' ? [trigger('forget_changes', 'after delete', 'forget_changes()')] : []),
    ...(files.length > 0
      ? [
          trigger(
            'removed_files',
            `after delete or update of ${files.map((file) => `"${file}"`).join(', ')}`,
            `note_removed_files(${files.map((file) => `'${file}'`).join(', ')})`,
          ),
        ]
      : []),
  ]
}

/**
 * The column `json`, generated by a function of the row's columns: the JSON that a read would build. The comment of the
 * column has a checksum. If it differs, function and column are recreated, which rewrites the table. The result of the
 * function depends on its arguments alone; a stored column requires that it is declared immutable.
 */
const storedJson = (collection: Collection): string => {
  const { name, fields } = collection
  const names = ['id', ...Object.keys(fields)].map(identifier)
  const types = ['text', ...Object.values(fields).map(columnType)]
  const members = recordColumns(collection, identifier).map(({ key, json }) => [
    verbatim(`"${key}":`),
    ...json,
  ])
  const made = `
    create function ${name}_json(${names.map((key, index) => `${key} ${types[index]}`).join(', ')})
      returns text language plpgsql immutable parallel safe as $$
      begin
        return ${jsonText(members)};
      end
      $$;
    alter table "${name}" add column json text collate "C" not null
      generated always as (${name}_json(${names.join(', ')})) stored;`
  return `
do $do$
begin
  if (select col_description(attrelid, attnum) from pg_attribute
      where attrelid = '${name}'::regclass and attname = 'json') is distinct from '${checksumOf(made)}' then
    alter table "${name}" drop column if exists json;
    drop function if exists ${name}_json;${made}
    comment on column "${name}".json is '${checksumOf(made)}';
  end if;
end
$do$;`
}
