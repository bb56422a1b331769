-- What a traveller and a register ask of a site, a connector and a business.
alter table sites
  add column published boolean not null default true,
  add column opening_hours jsonb not null default 'null',
  add column time_zone text collate "C" not null default '',
  add column city text collate "C" not null default '',
  add column postal_code text collate "C" not null default '',
  add column state text collate "C" not null default '',
  add column country text collate "C" not null default '',
  add column access text collate "C" not null default '',
  add column payment text[] collate "C" not null default '{}',
  add column facilities text[] collate "C" not null default '{}',
  add column parking_type text collate "C" not null default '',
  add column parking_restrictions text[] collate "C" not null default '{}',
  add column max_height_m double precision not null default 0,
  add column wheelchair text collate "C" not null default '',
  add column two_wheelers boolean not null default false,
  add column drive_through boolean not null default false,
  add column reference text collate "C" not null default '',
  add column confirmed text collate "C" not null default '',
  add column hidden boolean not null default false,
  add column hidden_reason text collate "C" not null default '';

alter table connectors
  add column reference text collate "C" not null default '',
  add column evse text collate "C" not null default '',
  add column evse_id text collate "C" not null default '',
  add column voltage double precision not null default 0,
  add column amperage double precision not null default 0;

alter table businesses
  add column legal_name text collate "C" not null default '',
  add column phone text collate "C" not null default '',
  add column country_code text collate "C" not null default '',
  add column party_id text collate "C" not null default '',
  add column licence text collate "C" not null default 'CC-BY-4.0',
  add column hidden boolean not null default false,
  add column hidden_reason text collate "C" not null default '';
