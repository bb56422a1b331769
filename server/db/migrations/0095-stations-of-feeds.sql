-- What a feed said of a station when that was last settled: the site has it, or a person has left it out. What the feed
-- repeats of it is not planned again.
create table feed_stations (
  feed text collate "C" not null references feeds on delete cascade,
  key text collate "C" not null,
  -- Empty: no site. The site may have been deleted since.
  site text collate "C" not null,
  station jsonb not null,
  primary key (feed, key)
);
create index feed_stations_site on feed_stations (feed, site) where site <> '';

-- What a feed says of a station in this import, unless that is settled.
alter table import_keys add column said jsonb;
