@testable import WSABI

/// The bad inputs and faults of services, numbered as in the list that clients are checked against; those of addresses,
/// stores, screens and previews have their own tests.
enum FaultCases {
  static let all: [FaultCase] = transport + documents + contents + others

  private static let transport: [FaultCase] =
    [
      FaultCase(2, "hang", .capture, "timedOut"), FaultCase(2, "freeze", .capture, "timedOut"),
      FaultCase(3, "silence", .capture, "timedOut"), FaultCase(3, "stall", .getServiceInfo, "timedOut"),
      FaultCase(4, "throttle=10", .getServiceInfo, "tooSlow"),
      FaultCase(5, "reset-after#1", .getServiceInfo, "answer success"),
      FaultCase(5, "drop-before#1", .tryLock, "answer success"),
      FaultCase(6, "drop-after", .register, "cut"), FaultCase(6, "reset-before", .register, "cut"),
      FaultCase(7, "drop-after", .capture, "cut"), FaultCase(7, "reset-after", .capture, "cut"),
      FaultCase(7, "truncate", .capture, "cut"), FaultCase(8, "overstate", .download, "cut"),
      FaultCase(8, "truncate#1", .getDownloadInfo, "answer success"),
      FaultCase(9, "understate", .download, "malformed"),
      FaultCase(9, "garbage", .tryLock, "malformed"),
      FaultCase(10, "dribble", .tryLock, "answer success"), FaultCase(10, "no-length", .download, "answer success"),
      FaultCase(10, "gzip", .download, "answer success"), FaultCase(11, "gzip-bomb=8", .getServiceInfo, "tooLarge"),
      FaultCase(11, "huge-message=8", .getServiceInfo, "tooLarge"), FaultCase(11, "huge-data=8", .download, "tooLarge"),
      FaultCase(12, "redirect=http://127.0.0.2:9/", .getServiceInfo, "redirected"),
      FaultCase(14, "login-page", .getServiceInfo, "notAService"),
      FaultCase(15, "wrong-type", .getServiceInfo, "answer success"),
      FaultCase(16, "empty-body", .getServiceInfo, "notAService"),
    ] + [404, 405, 411, 415, 500].map { FaultCase(13, "http=\($0)", .setConfiguration, "status \($0)") }

  private static let documents: [FaultCase] =
    ["cut-tag", "junk-behind", "mismatched-tags"].map { FaultCase(17, $0, .tryLock, "malformed") }
    + ["doctype", "external-entity", "entity-bomb"].map { FaultCase(18, $0, .tryLock, "malformed") }
    + [
      FaultCase(19, "deep", .tryLock, "malformed | tooLarge"),
      FaultCase(19, "many-items", .getDownloadInfo, "malformed | tooLarge"),
      FaultCase(19, "big-key", .getDownloadInfo, "malformed | tooLarge"),
      FaultCase(20, "other-namespace", .tryLock, "answer success"),
      FaultCase(20, "unknown-namespace", .tryLock, "otherNamespace"),
      FaultCase(20, "no-namespace", .tryLock, "otherNamespace"),
      FaultCase(20, "prefixed", .getServiceInfo, "answer success"),
      FaultCase(20, "other-style", .getServiceInfo, "answer success"),
      FaultCase(21, "utf-16", .tryLock, "answer success"), FaultCase(21, "bom", .tryLock, "answer success"),
      FaultCase(21, "bad-utf8", .tryLock, "malformed"), FaultCase(21, "escape-characters", .tryLock, "malformed"),
      FaultCase(21, "nul", .tryLock, "malformed"), FaultCase(21, "hostile-texts", .getServiceInfo, "answer success"),
      FaultCase(22, "cdata", .getServiceInfo, "answer success"),
      FaultCase(22, "comments", .getServiceInfo, "answer success"),
      FaultCase(22, "references", .getServiceInfo, "answer success"),
      FaultCase(22, "padded", .getServiceInfo, "answer success"),
      FaultCase(23, "no-status", .tryLock, "malformed"), FaultCase(23, "two-statuses", .tryLock, "malformed"),
      FaultCase(23, "unknown-status", .tryLock, "answer sensorOnFire"),
      FaultCase(23, "upper-case-status", .tryLock, "answer success"),
    ]

  private static let contents: [FaultCase] =
    [
      FaultCase(24, "no-session", .register, "incomplete"), FaultCase(24, "no-captures", .capture, "incomplete"),
      FaultCase(24, "no-data", .download, "incomplete"), FaultCase(24, "no-metadata", .getServiceInfo, "incomplete"),
      FaultCase(26, "empty-captures", .capture, "incomplete"),
      FaultCase(26, "double-captures", .capture, "answer success"),
      FaultCase(26, "many-captures", .capture, "answer success | tooLarge | malformed"),
      FaultCase(27, "foreign-capture", .capture, "answer success"),
    ]
    + ["bad-session", "path-session", "blank-session"].map { FaultCase(25, $0, .register, "malformed") }
    + ["wrapped-data", "cdata-data"].map { FaultCase(28, $0, .download, "answer success") }
    + ["junk-data", "cut-data", "padded-data", "empty-data"].map { FaultCase(29, $0, .download, "brokenData") }
    + ["lying-type", "no-type", "unknown-type", "cut-picture", "empty-picture"].map {
      FaultCase(30, $0, .download, "answer success")
    }
    + [FaultCase(31, "bomb-picture", .download, "answer success")]
    + ["double-keys", "wrong-types", "huge-numbers", "not-a-number", "bad-dates"].map {
      FaultCase(32, $0, .getDownloadInfo, "answer success")
    }
    + ["nameless-parameter", "unknown-modality", "no-modality", "no-submodality"].map {
      FaultCase(33, $0, .getServiceInfo, "answer success")
    }

  private static let others: [FaultCase] = [
    FaultCase(34, "ignore-configuration", .setConfiguration, "answer success"),
    FaultCase(36, "restart", .tryLock, "answer invalidId"), FaultCase(36, "clock-jump", .unlock, "answer invalidId"),
    FaultCase(37, "stolen", .capture, "answer lockHeldByAnother"),
    FaultCase(38, "thief; hold", .capture, "answer canceled"),
    FaultCase(39, "steal-refused", .stealLock, "answer failure"),
    FaultCase(39, "steal-false", .stealLock, "answer success"),
    FaultCase(40, "busy", .capture, "answer sensorBusy"),
    FaultCase(41, "preparing", .download, "answer preparingDownload"),
    FaultCase(42, "forget", .download, "answer invalidId"),
    FaultCase(48, "date=1970-01-01T00:00:00.1234567", .getDownloadInfo, "answer success"),
  ]
}
