-- The JSON of a site and of a connector as it is answered to whoever asks for all of it, kept in the row: to put
-- it together anew was most of what a list took (decision 0034). What the functions answer depends on their arguments
-- alone; they are said to be immutable because that is what a stored column asks for.
create function site_json(
  id text, name text, address text, latitude float8, longitude float8, contact_email text, contact_phone text,
  cost text, vehicle_capacity float8, photos text[], status text, business text,
  created timestamptz, updated timestamptz)
returns text language plpgsql immutable parallel safe as $$
begin
  return '{"id":"' || id || '","collectionId":"pbc_2001081480","collectionName":"sites"'
    || ',"name":' || to_json(name)::text || ',"address":' || to_json(address)::text
    || ',"latitude":' || latitude::text || ',"longitude":' || longitude::text
    || ',"contact_email":' || to_json(contact_email)::text
    || ',"contact_phone":' || to_json(contact_phone)::text
    || ',"cost":' || to_json(cost)::text || ',"vehicle_capacity":' || vehicle_capacity::text
    || ',"photos":' || case when photos = '{}' then '[]' else to_json(photos)::text end
    || ',"status":' || to_json(status)::text || ',"business":"' || business
    || '","created":"' || to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')
    || '","updated":"' || to_char(updated at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"') || '"}';
end
$$;

create function connector_json(
  id text, standard text, format text, current_type text, kw_rating float8, site text,
  created timestamptz, updated timestamptz)
returns text language plpgsql immutable parallel safe as $$
begin
  return '{"id":"' || id || '","collectionId":"pbc_1335902081","collectionName":"connectors"'
    || ',"standard":' || to_json(standard)::text || ',"format":' || to_json(format)::text
    || ',"current_type":' || to_json(current_type)::text || ',"kw_rating":' || kw_rating::text
    || ',"site":"' || site
    || '","created":"' || to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')
    || '","updated":"' || to_char(updated at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"') || '"}';
end
$$;

alter table sites add column json text collate "C" not null generated always as (
  site_json(id, name, address, latitude, longitude, contact_email, contact_phone, cost, vehicle_capacity, photos,
    status, business, created, updated)) stored;
alter table connectors add column json text collate "C" not null generated always as (
  connector_json(id, standard, format, current_type, kw_rating, site, created, updated)) stored;

-- As before, but for the kept JSON, which the trail leaves out: it says the same twice.
create or replace function note_change() returns trigger language plpgsql as $$
declare
  -- What is no value of the owner's, or says no more than the row of the trail itself.
  unlisted constant text[] := '{id,created,updated,version,json}';
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
