import PluginAPI
import Testing

@testable import Tides

struct PredictionTests {
  /// Speeds in degrees per mean solar hour, with their seven published decimals.
  ///
  /// - Source: P. Schureman, "Manual of Harmonic Analysis and Prediction of Tides", U.S. Coast and Geodetic Survey
  ///   Special Publication 98 (1958), table 2.
  @Test(arguments: [
    Constituent.m2: 28.984_104_2, .s2: 30, .n2: 28.439_729_5, .k2: 30.082_137_3, .k1: 15.041_068_6, .o1: 13.943_035_6,
    .p1: 14.958_931_4, .m4: 57.968_208_4,
  ])
  func `the speeds are the published ones`(_ constituent: Constituent, _ published: Double) {
    let start = Instant(seconds: 946_728_000)
    let degrees = constituent.phase(Astronomy(start.adding(seconds: 3_600_000))) - constituent.phase(Astronomy(start))
    #expect(abs(degrees / 1000 - published) < 2e-7)
  }

  @Test func `mean moon and sun stand together at a new moon and apart at a full one`() {
    // New moon of 2000-01-06 18:14 and full moon of 2000-01-21 04:40 (Meeus, chapter 49); true and mean places differ
    // by up to 8° for the moon and 2° for the sun.
    let new = Astronomy(Instant(seconds: 947_182_440))
    let full = Astronomy(Instant(seconds: 948_429_600))
    #expect(abs(Degrees.reduced(new.moon - new.sun + 180) - 180) < 10)
    #expect(abs(Degrees.reduced(full.moon - full.sun) - 180) < 10)
  }

  @Test func `the node was in the vernal equinox in June 2006`() {
    // The major lunar standstill of 2006-06-19.
    let sky = Astronomy(Instant(seconds: 1_150_675_200))
    #expect(abs(Degrees.reduced(sky.node + 180) - 180) < 1)
  }

  @Test func `the moon's tide is high when the mean moon stands in the south or the north`() throws {
    var station = Station.equilibrium("equator", latitude: 0, longitude: 0)
    station.constants = station.constants.filter { $0.constituent == .m2 }
    let start = Instant(seconds: 1_795_132_800)
    let prediction = try Prediction(station, from: start, hours: 72, stepInMinutes: 60)
    let highs = prediction.extremes.filter { $0.kind == .high }
    #expect(highs.count == 6)
    for high in highs {
      let sky = Astronomy(high.time)
      // Half a minute of time is a quarter of a degree of the tide; the node moves it by up to 2.1°.
      #expect(abs(Degrees.reduced(2 * (sky.hourAngle - sky.moon + sky.sun) + 180) - 180) < 2.6)
    }
    let gaps = zip(highs, highs.dropFirst()).map { $1.time.seconds(since: $0.time) / 3600 }
    #expect(gaps.allSatisfy { abs($0 - 12.4206) < 0.04 })
  }

  @Test func `springs follow new and full moon, neaps the quarters`() throws {
    let station = Station.equilibrium("equator", latitude: 0, longitude: 0)
    func range(_ seconds: Int64) throws -> Double {
      let start = Instant(seconds: seconds - 43_200)
      let heights = try Prediction(station, from: start, hours: 24, stepInMinutes: 5).heights
      return (heights.max() ?? 0) - (heights.min() ?? 0)
    }
    // 2000: new moon January 6, first quarter January 14 13:34, full moon January 21.
    #expect(try range(947_182_440) > 1.5 * range(947_856_840))
    #expect(try range(948_429_600) > 1.5 * range(947_856_840))
  }
}
