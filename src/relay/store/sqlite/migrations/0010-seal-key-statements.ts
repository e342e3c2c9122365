/**
 * Statements about seal keys have another form and another signature. Those of the first form are dropped: nothing can be
 * sealed to their devices until each has announced its next one. A device keeps its row, and with it its queue.
 */
export const sealKeyStatements = `
UPDATE device SET seal_statement = 'null', expires_at = 0
  WHERE json_type(seal_statement, '$.listSequence') IS NULL;
`;
