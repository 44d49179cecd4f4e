// Passages of long texts are nodes of ours: each says of which node it is, by its element id.
CREATE INDEX _trellis_passage_of IF NOT EXISTS
FOR (p:_TrellisPassage) ON (p._trellis_of);
