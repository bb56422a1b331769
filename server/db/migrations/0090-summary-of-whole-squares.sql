-- Each square also as a whole, by status only: without a filter, a tile reads a few rows however many kinds of places there are.
drop materialized view place_summary;
create materialized view place_summary as
  with squares as materialized (
    select cell >> 34 as cell, mask, status, access, count(*) as count, sum(latitude) as latitude,
      sum(longitude) as longitude, max(max_kw) as max_kw, min(id) as id
    from places group by 1, mask, status, access),
  zooms as (
    select zoom, (cell >> 2 * (5 - zoom))::int as cell, mask, status, access, count, latitude, longitude, max_kw, id
    from squares, generate_series(0, 5) zoom)
  select zoom, grouping(mask) = 1 as whole, cell, coalesce(mask, 0) as mask, status, coalesce(access, '') as access,
    sum(count)::int as count, sum(latitude) as latitude, sum(longitude) as longitude, max(max_kw) as max_kw,
    min(id) as id, null::uuid as hours
  from zooms group by grouping sets ((zoom, cell, mask, status, access), (zoom, cell, status));
create unique index place_summary_key on place_summary (zoom, whole, cell, mask, status, access);

-- How long the last renewal took: the next one is no sooner than three times that.
alter table place_summaries add column took interval not null default '0';
