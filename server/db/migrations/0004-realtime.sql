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

-- The last state of deleted records, for as long as subscribers are told of it: a row that is gone
-- cannot be read again, and a notification carries ids only. A crash may empty the table: it cuts
-- every stream as well, and what reconnects reads everything anew.
create unlogged table deleted_records (
  collection text collate "C" not null,
  id text collate "C" not null,
  version bigint not null,
  -- The user whose record it was; null when that cannot be told.
  owner text collate "C",
  record jsonb not null,
  -- Of a user: the sessions that end with it, which still hear what ends with it.
  sessions text[] collate "C" not null default '{}',
  deleted timestamptz(3) not null default now(),
  primary key (collection, id, version)
);
create index deleted_records_deleted on deleted_records (deleted);

-- Whose record it is. In a cascade the parent went first, so it may be among the deleted ones.
create function owner_of_business(business_id text) returns text language sql as $$
  select coalesce(
    (select "user" from businesses where id = business_id),
    (select owner from deleted_records
      where collection = 'businesses' and id = business_id order by version desc limit 1))
$$;
create function owner_of_site(site_id text) returns text language sql as $$
  select coalesce(
    (select owner_of_business(business) from sites where id = site_id),
    (select owner from deleted_records
      where collection = 'sites' and id = site_id order by version desc limit 1))
$$;

-- Tells every process of a write, when and only when it is committed: what was done, to which
-- record, and whose it is. The version keeps two writes of one transaction from being told as one.
create function announce_record() returns trigger language plpgsql as $$
declare
  record_owner text;
begin
  if not is_listened_to() then return null; end if;
  case tg_table_name
    when 'users' then record_owner := new.id;
    when 'businesses' then record_owner := new."user";
    when 'sites' then record_owner := owner_of_business(new.business);
    when 'connectors' then record_owner := owner_of_site(new.site);
  end case;
  perform pg_notify('realtime', concat_ws(' ',
    case tg_op when 'INSERT' then 'create' else 'update' end,
    tg_table_name, new.id, new.version, record_owner));
  return null;
end
$$;

-- Runs before the row goes, and so before what hangs on it does.
create function announce_deleted_record() returns trigger language plpgsql as $$
declare
  record_owner text;
  ended text[] := '{}';
begin
  if not is_listened_to() then return old; end if;
  case tg_table_name
    when 'users' then
      record_owner := old.id;
      ended := array(select id from sessions where "user" = old.id and expires > now());
    when 'businesses' then record_owner := old."user";
    when 'sites' then record_owner := owner_of_business(old.business);
    when 'connectors' then record_owner := owner_of_site(old.site);
  end case;
  insert into deleted_records (collection, id, version, owner, record, sessions)
    values (tg_table_name, old.id, old.version, record_owner, to_jsonb(old), ended)
    on conflict do nothing;
  perform pg_notify('realtime', concat_ws(' ',
    'delete', tg_table_name, old.id, old.version, record_owner));
  return old;
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

create trigger users_announce_deleted before delete on users
  for each row execute function announce_deleted_record();
create trigger businesses_announce_deleted before delete on businesses
  for each row execute function announce_deleted_record();
create trigger sites_announce_deleted before delete on sites
  for each row execute function announce_deleted_record();
create trigger connectors_announce_deleted before delete on connectors
  for each row execute function announce_deleted_record();
