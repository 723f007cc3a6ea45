public import PluginText

extension SplitMix64 {
  /// Returns a number from 0 to below a bound, which is above 0.
  public mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
