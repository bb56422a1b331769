-- The database connections on which a server process hears of changes (LISTEN). While there is none,
-- nothing is announced and nothing kept: a notification makes commits wait for one another.
create unlogged table listeners (
  pid integer primary key
);

-- A process that begins to listen enters itself under the exclusive lock, and so after every write
-- that did not see it. Nobody waits here: who cannot have the lock takes it that somebody listens.
create function is_listened_to() returns boolean language sql as $$
  select not pg_try_advisory_xact_lock_shared(4816303) or exists (select 1 from listeners)
$$;

-- What one process asks of the one that holds a client's stream, for seconds.
create unlogged table realtime_messages (
  id text collate "C" primary key,
  client text collate "C" not null,
  message jsonb not null,
  sent timestamptz(3) not null default now()
);

-- What was written, as it was at that moment, for as long as it takes to tell of it: a notification
-- carries ids only, the row may have changed again, and one that is gone cannot be read at all. A
-- crash may empty the table: it cuts every stream as well, and who comes back reads everything anew.
create unlogged table record_states (
  collection text collate "C" not null,
  id text collate "C" not null,
  version bigint not null,
  is_deleted boolean not null,
  -- The user whose record it was; null when that cannot be told.
  owner text collate "C",
  record jsonb not null,
  -- Of a deleted user: the sessions that end with it, which still hear what ends with it.
  sessions text[] collate "C" not null default '{}',
  written timestamptz(3) not null default clock_timestamp(),
  primary key (collection, id, version, is_deleted)
);
create index record_states_written on record_states (written);

-- Whose record it is. In a cascade the parent went first, so it may be among the deleted ones.
create function owner_of_business(business_id text) returns text language sql as $$
  select coalesce(
    (select "user" from businesses where id = business_id),
    (select owner from record_states
      where collection = 'businesses' and id = business_id and is_deleted
      order by version desc limit 1))
$$;
create function owner_of_site(site_id text) returns text language sql as $$
  select coalesce(
    (select owner_of_business(business) from sites where id = site_id),
    (select owner from record_states
      where collection = 'sites' and id = site_id and is_deleted
      order by version desc limit 1))
$$;

-- Tells every process of a write, when and only when it is committed: what was done, to which
-- record, and whose it is.
create function announce_record() returns trigger language plpgsql as $$
declare
  is_gone constant boolean := tg_op = 'DELETE';
  written record;
  record_owner text;
  ended text[] := '{}';
begin
  if is_gone then written := old; else written := new; end if;
  if not is_listened_to() then return written; end if;
  case tg_table_name
    when 'users' then
      record_owner := written.id;
      if is_gone then
        ended := array(select id from sessions where "user" = written.id and expires > now());
      end if;
    when 'businesses' then record_owner := written."user";
    when 'sites' then record_owner := owner_of_business(written.business);
    when 'connectors' then record_owner := owner_of_site(written.site);
  end case;
  insert into record_states (collection, id, version, is_deleted, owner, record, sessions)
    values (tg_table_name, written.id, written.version, is_gone, record_owner, to_jsonb(written), ended)
    on conflict (collection, id, version, is_deleted) do update
      set owner = excluded.owner, record = excluded.record, sessions = excluded.sessions;
  perform pg_notify('realtime', concat_ws(' ',
    case tg_op when 'INSERT' then 'create' else lower(tg_op) end,
    tg_table_name, written.id, written.version, record_owner));
  return written;
end
$$;

create trigger users_announce after insert or update on users
  for each row execute function announce_record();
create trigger businesses_announce after insert or update on businesses
  for each row execute function announce_record();
create trigger sites_announce after insert or update on sites
  for each row execute function announce_record();
create trigger connectors_announce after insert or update on connectors
  for each row execute function announce_record();

-- Before the row goes, and so before what hangs on it does.
create trigger users_announce_deleted before delete on users
  for each row execute function announce_record();
create trigger businesses_announce_deleted before delete on businesses
  for each row execute function announce_record();
create trigger sites_announce_deleted before delete on sites
  for each row execute function announce_record();
create trigger connectors_announce_deleted before delete on connectors
  for each row execute function announce_record();
