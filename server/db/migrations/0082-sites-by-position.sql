-- Finds the sites of a business near a position (server/duplicates).
create index sites_position on sites (business, latitude, longitude);
