-- A station without a site because it was refused or could not be written. It is planned again once the feed changes it.
alter table feed_stations add column awaits_change boolean not null default false;
