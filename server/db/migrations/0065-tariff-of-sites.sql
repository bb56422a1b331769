-- Not `on delete restrict`, which would also keep a business with prices from being deleted: what goes with it
-- is gone only at the end of the statement.
alter table sites add column tariff text collate "C" references tariffs;
create index sites_tariff on sites (tariff);
