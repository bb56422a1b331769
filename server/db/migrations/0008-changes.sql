-- The audit trail: one row for each record that a write changed, made by triggers in the transaction of
-- the write, so that there is the one exactly when there is the other. It names by text alone what it is
-- about: that may be gone, and a foreign key would make writes wait for one another.
create table changes (
  -- The version in hexadecimal: ids rise with time.
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  owner text collate "C" not null,
  collection text collate "C" not null,
  record text collate "C" not null,
  business text collate "C" not null,
  site text collate "C" not null,
  action text collate "C" not null,
  actor_type text collate "C" not null,
  actor text collate "C" not null,
  impersonator text collate "C" not null,
  before jsonb not null,
  after jsonb not null,
  created timestamptz(3) not null default now(),
  version bigint not null
);
create index changes_owner on changes (owner, created, id);
create index changes_record on changes (record, id);

-- The superuser who is somebody else for a time.
alter table sessions add column impersonator text collate "C" not null default '';

-- In whose name a statement writes: whose session it is, and who has it for a time. It is put into
-- `voltleaf.actor` for the transaction alone; what is written without it was the server's own doing.
create function actor_of(s sessions) returns text language sql stable as $$
  select concat_ws(' ',
    case when s.superuser is null then 'user' else 'superuser' end,
    coalesce(s."user", s.superuser), nullif(s.impersonator, ''))
$$;

-- Whose a record is, and what it belongs to. In a cascade what it belongs to went first, and was noted by
-- this very transaction: an older note may be of another record that had the id.
create function belonging(
  of_collection text, record jsonb, out owner text, out business text, out site text)
language plpgsql as $$
begin
  business := '';
  site := '';
  case of_collection
    when 'users' then
      owner := record ->> 'id';
    when 'businesses' then
      owner := record ->> 'user';
      business := record ->> 'id';
    when 'sites' then
      business := record ->> 'business';
      site := record ->> 'id';
      select b."user" into owner from businesses b where b.id = record ->> 'business';
      if not found then
        select c.owner into owner from changes c
          where c.record = belonging.record ->> 'business' and c.collection = 'businesses'
            and c.action = 'delete' and c.xmin = pg_current_xact_id()::xid
          order by c.id desc limit 1;
      end if;
    when 'connectors' then
      site := record ->> 'site';
      select b."user", b.id into owner, business
        from sites s join businesses b on b.id = s.business where s.id = record ->> 'site';
      if not found then
        select c.owner, c.business into owner, business from changes c
          where c.record = belonging.record ->> 'site' and c.collection = 'sites'
            and c.action = 'delete' and c.xmin = pg_current_xact_id()::xid
          order by c.id desc limit 1;
      end if;
  end case;
end
$$;

create function note_change() returns trigger language plpgsql as $$
declare
  -- What is no value of the owner's, or says no more than the row of the trail itself.
  unlisted constant text[] := '{id,created,updated,version}';
  actor constant text := coalesce(nullif(current_setting('voltleaf.actor', true), ''), 'server');
  held jsonb := '{}';
  holds jsonb := '{}';
  whose record;
  former record;
  number bigint;
begin
  if tg_op <> 'INSERT' then held := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then holds := to_jsonb(new); end if;
  whose := belonging(tg_table_name, case tg_op when 'DELETE' then held else holds end);
  former := whose;
  if tg_op = 'UPDATE' and (
    held ->> 'business' <> holds ->> 'business' or held ->> 'site' <> holds ->> 'site') then
    former := belonging(tg_table_name, held);
  end if;
  held := held - unlisted;
  holds := holds - unlisted;
  if tg_op = 'UPDATE' then
    select coalesce(jsonb_object_agg(h.key, h.value), '{}'),
      coalesce(jsonb_object_agg(h.key, holds -> h.key), '{}')
      into held, holds
      from jsonb_each(held) h where h.value <> holds -> h.key;
    if held = '{}' then return null; end if;
  end if;
  -- The trail goes with the account.
  if tg_op = 'DELETE' and (tg_table_name = 'users' or whose.owner is null
    or not exists (select 1 from users u where u.id = whose.owner)) then
    return old;
  end if;
  number := nextval('record_version');
  insert into changes (id, version, owner, collection, record, business, site, action,
      actor_type, actor, impersonator, before, after)
    values (lpad(to_hex(number), 15, '0'), number, whose.owner, tg_table_name,
      case tg_op when 'DELETE' then old.id else new.id end, whose.business, whose.site,
      case tg_op when 'INSERT' then 'create' else lower(tg_op) end,
      split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3), held, holds);
  -- Who had the record until now learns where it went.
  if former.owner <> whose.owner then
    number := nextval('record_version');
    insert into changes (id, version, owner, collection, record, business, site, action,
        actor_type, actor, impersonator, before, after)
      values (lpad(to_hex(number), 15, '0'), number, former.owner, tg_table_name, new.id,
        former.business, former.site, 'update',
        split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3), held, holds);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return null;
end
$$;

create trigger users_changes after insert or update on users
  for each row execute function note_change();
create trigger businesses_changes after insert or update on businesses
  for each row execute function note_change();
create trigger sites_changes after insert or update on sites
  for each row execute function note_change();
create trigger connectors_changes after insert or update on connectors
  for each row execute function note_change();

-- Before the row goes, and so before what hangs on it does.
create trigger businesses_changes_deleted before delete on businesses
  for each row execute function note_change();
create trigger sites_changes_deleted before delete on sites
  for each row execute function note_change();
create trigger connectors_changes_deleted before delete on connectors
  for each row execute function note_change();

-- After everything that the account owned, in the order of names: the cascades begin with "RI_".
create function forget_changes() returns trigger language plpgsql as $$
begin
  delete from changes where owner = old.id;
  return null;
end
$$;
create trigger users_forget_changes after delete on users
  for each row execute function forget_changes();
