/**
 * Advisory locks of this database, every one of them: numbers that mean nothing, and never the same for two. Those that a
 * migration names (`ledger`, `gate`) stay as they are for good.
 */
export const ADVISORY_LOCKS = {
  /** Commits of the ledger, one after the other. */
  ledger: 7_305_418_001,
  /** Migrations of nodes that start side by side. */
  migrations: 7_305_418_002,
  /** Whether money may move. */
  gate: 7_305_418_003,
  /** Sealing the audit log. */
  audit: 7_305_418_004,
  /** Publishing texts. */
  content: 7_305_418_005,
  /** What is said of platforms. */
  platforms: 7_305_418_006,
  /** Limits of tiers. */
  limits: 7_305_418_009,
  /** Fees, currencies and networks. */
  settings: 7_305_418_011,
  /** Sealing the journals of money. */
  journalSeals: 7_305_418_012,
  /** The master key: hubs share it, who changes the key has it alone. */
  masterKey: 7_305_418_010,
} as const;
