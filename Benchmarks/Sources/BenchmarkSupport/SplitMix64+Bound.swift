public import PluginText

extension SplitMix64 {
  /// A number from 0 to below a bound, which is above 0.
  public mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
