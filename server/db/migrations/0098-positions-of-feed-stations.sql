-- Stations that a feed has renamed or numbered anew are looked up near their positions. A refused one may have any values.
alter table feed_stations
  add column latitude double precision generated always as (
    case jsonb_typeof(base #> '{site,latitude}') when 'number' then (base #> '{site,latitude}')::double precision end) stored,
  add column longitude double precision generated always as (
    case jsonb_typeof(base #> '{site,longitude}') when 'number' then (base #> '{site,longitude}')::double precision end) stored;
-- The cells are 0.005° wide.
create index feed_stations_cell on feed_stations (feed, floor(latitude * 200), floor(longitude * 200));
