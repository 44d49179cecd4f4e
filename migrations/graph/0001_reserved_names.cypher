// The constraint and indexes for loading, indexing and linking. Their names start with _trellis,
// which is reserved.
CREATE CONSTRAINT _trellis_loaded IF NOT EXISTS
FOR (n:_TrellisLoaded) REQUIRE n._trellis_id IS UNIQUE;

CREATE INDEX _trellis_key IF NOT EXISTS
FOR (n:_TrellisNamed) ON (n._trellis_key);

CREATE FULLTEXT INDEX _trellis_text IF NOT EXISTS
FOR (n:_TrellisNamed) ON EACH [n._trellis_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}};
