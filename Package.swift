// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "hybridkit",
  platforms: [.macOS(.v15)],  // Synchronization's Mutex and Atomic
  products: [
    .library(name: "HybridKit", targets: ["HybridKit"]),
    .library(name: "HybridCore", targets: ["HybridCore"]),
    .library(name: "HybridRouting", targets: ["HybridRouting"]),
    .library(name: "HybridLocal", targets: ["HybridLocal"]),
    .library(name: "HybridRemote", targets: ["HybridRemote"]),
    .library(name: "HybridTesting", targets: ["HybridTesting"]),
    .executable(name: "hybrid", targets: ["hybrid"]),
  ],
  traits: [
    .trait(
      name: "LocalLlama",
      description: "Run models in process through llama.cpp (system library `llama`)."),
    .default(enabledTraits: ["LocalLlama"]),
  ],
  targets: [
    // The system's C libraries. Only the shim beside each one includes its headers.
    .systemLibrary(name: "CLlama", pkgConfig: "llama"),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    .target(
      name: "CHybridLlama",
      dependencies: [.target(name: "CLlama", condition: .when(traits: ["LocalLlama"]))],
      // A conditional dependency does not stop the shim from being compiled: the macro does.
      cxxSettings: [.define("HYBRID_LOCAL_LLAMA", .when(traits: ["LocalLlama"]))]),
    .target(name: "CHybridCurl", dependencies: ["CCurl"]),
    .target(name: "CHybridProcess"),

    .target(name: "HybridCore"),
    .target(name: "HybridRouting", dependencies: ["HybridCore"]),
    .target(
      name: "HybridLocal", dependencies: ["HybridCore", "CHybridLlama", "CHybridProcess"]),
    .target(name: "HybridRemote", dependencies: ["HybridCore", "CHybridCurl"]),
    .target(
      name: "HybridKit",
      dependencies: ["HybridCore", "HybridRouting", "HybridLocal", "HybridRemote"]),
    .target(
      name: "HybridTesting",
      dependencies: ["HybridCore", "HybridLocal", "HybridRemote", "HybridKit"]),
    .executableTarget(
      name: "hybrid",
      dependencies: ["HybridCore", "HybridRouting", "HybridLocal", "HybridRemote", "HybridKit"]),
    .target(name: "Measuring", path: "Benchmarks/Measuring"),
    .executableTarget(
      name: "LocalSpeed", dependencies: ["HybridCore", "HybridLocal", "Measuring"],
      path: "Benchmarks/LocalSpeed"),
    .executableTarget(
      name: "ServerSpeed",
      dependencies: ["HybridCore", "HybridLocal", "HybridRemote", "Measuring"],
      path: "Benchmarks/ServerSpeed"),
    .executableTarget(
      name: "TextSpeed",
      dependencies: [
        "HybridCore", "HybridLocal", "Measuring",
        // llama_tokenize itself, to compare with.
        .target(name: "CLlama", condition: .when(traits: ["LocalLlama"])),
      ],
      path: "Benchmarks/TextSpeed"),
    .executableTarget(
      name: "BadFiles", dependencies: ["HybridCore", "HybridLocal", "Measuring", "ModelFileCases"],
      path: "Benchmarks/BadFiles"),
    .executableTarget(
      name: "ThreadAdaptation", dependencies: ["HybridCore", "HybridLocal", "Measuring"],
      path: "Benchmarks/ThreadAdaptation"),
    .executableTarget(
      name: "GatewayCancels",
      dependencies: ["HybridCore", "HybridRemote", "HybridTesting", "Measuring"],
      path: "Benchmarks/GatewayCancels"),

    // Model files, sound and bad: what tests and `BadFiles` try.
    .target(
      name: "ModelFileCases", dependencies: ["HybridLocal", "HybridTesting"],
      path: "Tests/ModelFileCases"),
    // Every module that a target imports is named: what comes along with another is not compiled anew
    // when it changes.
    .testTarget(name: "HybridCoreTests", dependencies: ["HybridCore", "HybridTesting"]),
    .testTarget(
      name: "HybridRoutingTests",
      dependencies: ["HybridCore", "HybridRouting", "HybridKit", "HybridTesting"]),
    .testTarget(
      name: "HybridLocalTests",
      dependencies: [
        "HybridCore", "HybridLocal", "HybridRemote", "HybridTesting", "ModelFileCases",
        // llama.cpp's own samplers, to compare with.
        .target(name: "CLlama", condition: .when(traits: ["LocalLlama"])),
      ]),
    .testTarget(
      name: "HybridRemoteTests",
      dependencies: ["HybridCore", "HybridRemote", "CHybridCurl", "HybridTesting"]),
    .target(name: "CSocketTrap", path: "Tests/CSocketTrap"),
    // A worker, or one that misbehaves as a test wants it.
    .executableTarget(
      name: "ScriptedWorker", dependencies: ["HybridCore", "HybridLocal"],
      path: "Tests/ScriptedWorker"),
    .testTarget(
      name: "HybridKitTests",
      dependencies: ["HybridCore", "HybridRouting", "HybridKit", "HybridTesting", "CSocketTrap"]),
    .testTarget(
      name: "HybridTestingTests",
      dependencies: [
        "HybridCore", "HybridRouting", "HybridLocal", "HybridRemote", "HybridKit", "HybridTesting",
      ]),
    .testTarget(
      name: "hybridTests",
      dependencies: [
        "HybridCore", "HybridRouting", "HybridLocal", "HybridKit", "hybrid", "HybridTesting",
        "ModelFileCases",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

for target in package.targets where target.type != .system {
  if ["CHybridLlama", "CHybridCurl", "CHybridProcess", "CSocketTrap"].contains(target.name) {
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cxxSettings = (target.cxxSettings ?? []) + [.treatAllWarnings(as: .error)]
    continue
  }
  target.swiftSettings = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0480-swiftpm-warning-control.md
    .treatAllWarnings(as: .error),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md
    .strictMemorySafety(),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
