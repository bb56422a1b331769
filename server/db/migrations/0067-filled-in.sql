-- Of a change, the fields that the server filled in from others (decision 0079).
alter table change_log add column filled_in text[] collate "C" not null default '{}';

create or replace view changes as
  select id, owner, collection, record, business, site, action, actor_type, actor, impersonator,
    case action
      when 'delete' then state - '{id,created,updated,version}'::text[]
      else before
    end as before,
    case action
      when 'create' then state - '{id,created,updated,version}'::text[]
      when 'update' then
        (select coalesce(jsonb_object_agg(key, state -> key), '{}') from jsonb_object_keys(before) key)
      else '{}'
    end as after,
    created, version, filled_in
  from change_log where kept;

-- Records from before, which are still to be filled in. An empty field of any other was emptied.
create table unfilled (
  collection text collate "C" not null,
  record text collate "C" not null,
  primary key (collection, record)
);
insert into unfilled select 'sites', id from sites where time_zone = '' or country = '';
