-- What is left of a Location that was removed: of its connectors only what OCPI requires, without names and ids that owners chose.
update place_numbers n set rest = jsonb_set(n.rest::jsonb, '{connectors}', (
    select jsonb_agg(jsonb_build_object('id', c.doc -> 'id', 'uid', case c.doc ->> 'evse' when '' then c.doc ->> 'id'
        else n.id || '-' || left(encode(sha256(convert_to(c.doc ->> 'evse', 'UTF8')), 'hex'), 16) end,
      'standard', c.doc -> 'standard', 'format', c.doc -> 'format', 'current_type', c.doc -> 'current_type',
      'kw_rating', c.doc -> 'kw_rating', 'voltage', c.doc -> 'voltage', 'amperage', c.doc -> 'amperage') order by c.place)
    from jsonb_array_elements(n.rest::jsonb -> 'connectors') with ordinality c (doc, place)))::text
  where n.rest is not null;
