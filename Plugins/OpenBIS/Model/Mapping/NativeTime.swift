import PluginAPI

/// Times of V3: milliseconds since 1970.
enum NativeTime {
  /// Returns a time as `2026-11-21T09:30:00Z`, without the milliseconds; "" for 0, which means unknown.
  static func text(_ milliseconds: Int) -> String {
    if milliseconds == 0 { return "" }
    return Instant(seconds: Int64(milliseconds / 1000)).description
  }
}
