-- The angle between two positions in degrees, from the centre of a sphere (haversine): times its radius, their
-- distance, as distanceM of domain/distance.ts has it. Rounding never leaves the domain of asin. Inlined.
create or replace function great_circle(latitude float8, longitude float8, other_latitude float8, other_longitude float8)
returns float8 language sql immutable parallel safe as $$
  select 2 * asin(least(1, sqrt(sin(radians(other_latitude - latitude) / 2) ^ 2
    + cos(radians(latitude)) * cos(radians(other_latitude)) * sin(radians(other_longitude - longitude) / 2) ^ 2)))
$$;

-- A row as its record is answered: an empty relation, which is null in the row, is an empty text.
create or replace function as_said(state jsonb, relations text[]) returns jsonb language sql immutable as $$
  select state - 'json' || coalesce(
    (select jsonb_object_agg(name, '') from unnest(relations) name where state ->> name is null), '{}')
$$;

-- Writes the change log: one entry for each record that a statement updated or deleted, in the transaction of the write.
-- Tells every process of it when there is one that listens, when and only when it is committed.
-- Arguments: the first step of the owner path of the collection, whether the audit log has its changes, and the relations
-- that may be null.
create or replace function log_change() returns trigger language plpgsql as $$
declare
  -- No values of the owner's.
  unlisted constant text[] := '{id,created,updated,version}';
  actor constant text := coalesce(nullif(current_setting('voltleaf.actor', true), ''), 'server');
  correlation constant text := coalesce(current_setting('voltleaf.correlation_id', true), '');
  filled_in text[] := string_to_array(current_setting('voltleaf.filled_in', true), ',');
  is_heard constant boolean := is_listened_to();
  is_account constant boolean := tg_argv[0] = 'id';
  is_audited constant boolean := tg_argv[1]::boolean;
  written record;
  held jsonb := '{}';
  holds jsonb;
  changed jsonb := '{}';
  whose record;
  former record;
  is_kept boolean := is_audited;
  ended text[] := '{}';
  number bigint;
begin
  if tg_op = 'DELETE' then written := old; else written := new; end if;
  holds := as_said(to_jsonb(written), tg_argv[2:]);
  whose := owner_of(tg_table_name, holds);
  former := whose;
  if tg_op = 'UPDATE' then
    held := as_said(to_jsonb(old), tg_argv[2:]);
    select coalesce(jsonb_object_agg(h.key, h.value), '{}') into changed
      from jsonb_each(held - unlisted) h where h.value <> holds -> h.key;
    is_kept := is_audited and changed <> '{}';
    if held -> tg_argv[0] <> holds -> tg_argv[0] then former := owner_of(tg_table_name, held); end if;
  elsif tg_op = 'DELETE' then
    -- The audit log goes with the account.
    is_kept := is_audited and not is_account and exists (select 1 from users u where u.id = whose.owner);
  end if;
  if not is_kept and not is_heard then return written; end if;
  filled_in := array(select f from unnest(filled_in) f where changed ? f);
  if tg_op = 'DELETE' and is_account then
    ended := array(select s.id from sessions s where s."user" = written.id and s.expires > now());
  elsif tg_op = 'DELETE' and not is_kept then
    select c.ended_sessions into ended from change_log c
      where c.record = whose.owner and c.action = 'delete' and c.xmin = pg_current_xact_id()::xid
      order by c.id desc limit 1;
  end if;
  number := nextval('record_version');
  insert into change_log (id, version, owner, collection, record, business, site, action,
      actor_type, actor, impersonator, before, state, kept, ended_sessions, filled_in,
      correlation_id)
    values (lpad(to_hex(number), 15, '0'), number, coalesce(whose.owner, ''), tg_table_name, written.id,
      coalesce(whose.business, ''), coalesce(whose.site, ''), lower(tg_op),
      split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3),
      changed, holds, is_kept, coalesce(ended, '{}'), filled_in, correlation);
  if is_heard then
    perform pg_notify('realtime', concat_ws(' ',
      lower(tg_op), tg_table_name, written.id, lpad(to_hex(number), 15, '0'), whose.owner));
  end if;
  -- The former owner learns where the record went.
  if former.owner <> whose.owner then
    number := nextval('record_version');
    insert into change_log (id, version, owner, collection, record, business, site, action,
        actor_type, actor, impersonator, before, state, kept, filled_in, correlation_id)
      values (lpad(to_hex(number), 15, '0'), number, former.owner, tg_table_name, written.id,
        former.business, former.site, 'update',
        split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3), changed, holds,
        is_audited, filled_in, correlation);
  end if;
  return written;
end
$$;

-- The audit log goes with the account.
create or replace function forget_changes() returns trigger language plpgsql as $$
begin
  delete from change_log where owner = old.id and kept;
  return null;
end
$$;

-- Notes the files that a row lets go of. Arguments: the columns that name files.
create or replace function note_removed_files() returns trigger language plpgsql as $$
declare
  held constant jsonb := to_jsonb(old);
  keeps constant jsonb := case tg_op when 'UPDATE' then to_jsonb(new) else '{}' end;
begin
  insert into removed_files (collection, record, name)
    select tg_table_name, old.id, n.name from unnest(tg_argv) field,
      lateral (select file_names(held -> field) except select file_names(keeps -> field)) n (name)
    on conflict do nothing;
  return null;
end
$$;

-- The names in a column of files, which holds one or many.
create or replace function file_names(held jsonb) returns setof text language sql immutable as $$
  select name from jsonb_array_elements_text(
    case jsonb_typeof(held) when 'array' then held else jsonb_build_array(held) end) name
  where name <> ''
$$;


-- The version of all that is public, and when it last changed. The newest version that is seen does not name what is seen: a
-- transaction under way may hold a lower one, and commit later. Whoever holds one has been writing `place_numbers` since
-- before, so it has its lock while the locks are looked at, unless it has ended, and the snapshot is another one. In both
-- cases the version is one of this moment alone. A standby knows no locks of others: there, a minute without changes counts.
create or replace function public_version(out version text, out changed timestamptz) language plpgsql as $$
declare
  seen pg_snapshot;
  is_settled boolean;
begin
  select pg_current_snapshot(), coalesce((select max(n.version) from place_numbers n), 0),
    (select max(n.updated) from place_numbers n) into seen, version, changed;
  if pg_is_in_recovery() then
    is_settled := pg_snapshot_xmin(seen) = pg_snapshot_xmax(seen) and coalesce(changed < now() - interval '1 minute', true);
  else
    is_settled := not exists (select from pg_locks l
      where l.relation = 'place_numbers'::regclass and l.mode = 'RowExclusiveLock' and l.pid <> pg_backend_pid()
        and l.database = (select d.oid from pg_database d where d.datname = current_database()));
    is_settled := is_settled and pg_current_snapshot()::text = seen::text;
  end if;
  if not is_settled then
    version := version || '-' || md5(seen::text || coalesce(pg_last_wal_replay_lsn()::text, ''));
  end if;
end
$$;
