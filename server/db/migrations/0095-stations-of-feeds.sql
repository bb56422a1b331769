-- The bases of the three-way merge of feeds: what a feed said of a station when the site had it, or a person left it out.
create table feed_stations (
  feed text collate "C" not null references feeds on delete cascade,
  key text collate "C" not null,
  -- Empty: no site. The site may have been deleted since.
  site text collate "C" not null,
  base jsonb not null,
  primary key (feed, key)
);
create index feed_stations_site on feed_stations (feed, site) where site <> '';

-- What a feed says of a station in this import, if that differs from the base.
alter table import_keys add column next_base jsonb;
