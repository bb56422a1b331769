-- What a row keeps of its JSON is made from the declarations from now on (decision 0063), by functions of these names.
alter function site_json rename to sites_json;
alter function connector_json rename to connectors_json;
