-- The squares of the summary as wholes, by status only: without a filter, a tile reads a few rows however many kinds of places there are.
create materialized view place_squares as
  select zoom, cell, status, sum(count)::int as count, sum(latitude) as latitude, sum(longitude) as longitude,
    max(max_kw) as max_kw, min(id) as id
  from place_summary group by zoom, cell, status;
create unique index place_squares_key on place_squares (zoom, cell, status);

-- How long the last renewal took: the next one is no sooner than three times that.
alter table place_summaries add column took interval not null default '0';
