// Builds the navmesh of one scene with Recast and Detour, and prints what it took as one line of
// JSON. `make bench` builds it against Debian's librecast-dev; recast.py runs it.
//
//   recast_driver scene.obj [--cs 0.3] [--ch 0.2] [--height 1.8] [--radius 0.3] [--climb 0.4]
//                 [--slope 45] [--tile CELLS] [--out polygons.obj] [--out-detail triangles.obj]
//                 [--queries pairs.txt [--lengths lengths.txt] [--repeat 5]]
//
// Lengths are in metres, the slope in degrees, y is up. Everything else is as RecastDemo has it at
// its start: watershed regions of at least 8 x 8 cells, merged below 20 x 20, edges up to 12 m and
// 1.3 cells off, up to 6 corners a polygon, heights sampled every 6 cells and right to one cell.
// With --tile the scene is cut into squares of so many cells, which Detour joins at their borders.
//
// With --queries it then searches a path for every line of that file, which has the start and the
// goal, each as polygon x y z; polygons are numbered as --out has them, and so need a navmesh
// without tiles. --lengths gets the length of each path seen from above, -1 where none leads to
// the goal.
//
// Times are CPU time of this one thread, so that others on the machine do not count.

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

namespace {

// ---- the command line

struct Settings {
  std::string scene, out, outDetail, queries, lengths;
  float cs = 0.3f, ch = 0.2f, height = 1.8f, radius = 0.3f, climb = 0.4f, slope = 45.0f;
  float tile = 0.0f;  // cells; 0 for one heightfield
  float repeat = 5.0f;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "recast_driver: %s\n", why.c_str());
  std::exit(2);
}

Settings readArguments(const std::vector<std::string>& words) {
  Settings s;
  const std::map<std::string, float*> numbers = {{"--cs", &s.cs},         {"--ch", &s.ch},       {"--height", &s.height},
                                                 {"--radius", &s.radius}, {"--climb", &s.climb}, {"--slope", &s.slope},
                                                 {"--tile", &s.tile},     {"--repeat", &s.repeat}};
  const std::map<std::string, std::string*> files = {{"--out", &s.out},
                                                     {"--out-detail", &s.outDetail},
                                                     {"--queries", &s.queries},
                                                     {"--lengths", &s.lengths}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& flag = words[i];
    const bool isNumber = numbers.count(flag), isFile = files.count(flag);
    if (!isNumber && !isFile) {
      if (flag.rfind("--", 0) == 0) refuse("unknown flag " + flag);
      if (!s.scene.empty()) refuse("more than one scene: " + s.scene + " and " + flag);
      s.scene = flag;
      continue;
    }
    if (i + 1 == words.size()) refuse(flag + " needs a value");
    const std::string& value = words[++i];
    if (isFile) {
      *files.at(flag) = value;
      continue;
    }
    char* end = nullptr;
    const float number = std::strtof(value.c_str(), &end);
    if (value.empty() || *end || !(number >= 0.0f && number < 1e6f))
      refuse(flag + " " + value + ": must be a number from 0 to a million");
    *numbers.at(flag) = number;
  }
  if (s.scene.empty()) refuse("no scene given");
  if (!s.queries.empty() && s.tile >= 1.0f) refuse("--queries needs a navmesh without tiles");
  if (s.cs <= 0.0f || s.ch <= 0.0f || s.height <= 0.0f) refuse("--cs, --ch and --height must be above 0");
  return s;
}

// ---- the scene

struct Scene {
  std::vector<float> points;  // x y z
  std::vector<int> corners;   // three a triangle
  int pointCount() const { return int(points.size() / 3); }
};

// Reads v and f records; faces of more corners become fans, indices of textures and normals are
// skipped, and a face that names a missing vertex is an error.
Scene readObj(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse("cannot read " + path);
  Scene scene;
  std::vector<int> face;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2 || !std::isblank(static_cast<unsigned char>(line[1])) || (line[0] != 'v' && line[0] != 'f')) continue;
    const char* at = line.c_str() + 1;
    char* end = nullptr;
    if (line[0] == 'v') {
      for (int k = 0; k < 3; ++k, at = end) scene.points.push_back(std::strtof(at, &end));
      continue;
    }
    face.clear();
    for (long index; index = std::strtol(at, &end, 10), end != at; at = end) {
      const long corner = index > 0 ? index - 1 : scene.pointCount() + index;
      if (corner < 0 || corner >= scene.pointCount()) refuse(path + ": no vertex for: " + line);
      face.push_back(int(corner));
      while (*end && !std::isspace(static_cast<unsigned char>(*end))) ++end;
    }
    for (std::size_t k = 2; k < face.size(); ++k)
      scene.corners.insert(scene.corners.end(), {face[0], face[k - 1], face[k]});
  }
  if (scene.corners.empty()) refuse(path + " has no triangles");
  return scene;
}

// ---- what it takes

double cpuMs() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

enum Step { Sort, Rasterize, Filter, Compact, Erode, Regions, Contours, Polygons, Detail, Detour, StepCount };
constexpr std::array<const char*, StepCount> stepNames = {
    "sort", "rasterize", "filter", "compact", "erode", "regions", "contours", "polygons", "detail", "detour"};

// CPU time of each step, summed over tiles.
class Stopwatch {
 public:
  void lap(Step step) {
    const double now = cpuMs();
    ms[step] += now - last_;
    last_ = now;
  }
  std::array<double, StepCount> ms{};

 private:
  double last_ = cpuMs();
};

// The most that this process has had in memory. getrusage would count the parent that forked it.
double peakMiB() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::atof(line.c_str() + 6) / 1024.0;
  return 0.0;
}

// ---- Recast

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* p) const { Free(p); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, Freed<Free>>;

struct Tile {
  Owned<rcPolyMesh, rcFreePolyMesh> polygons{rcAllocPolyMesh()};
  Owned<rcPolyMeshDetail, rcFreePolyMeshDetail> detail{rcAllocPolyMeshDetail()};
};

// A step that returned false.
void require(bool done, const char* step) {
  if (!done) throw std::runtime_error(std::string(step) + " failed");
}

// A length in cells. Without the thousandth, floats make 0.3 / 0.1 more than 3.
int cellsUp(float length, float cell) { return int(std::ceil(double(length) / cell - 1e-3)); }
int cellsDown(float length, float cell) { return int(std::floor(double(length) / cell + 1e-3)); }

rcConfig makeConfig(const Settings& s, const Scene& scene) {
  rcConfig c{};
  c.cs = s.cs;
  c.ch = s.ch;
  c.walkableSlopeAngle = s.slope;
  c.walkableHeight = cellsUp(s.height, s.ch);
  c.walkableClimb = cellsDown(s.climb, s.ch);
  c.walkableRadius = cellsUp(s.radius, s.cs);
  c.maxEdgeLen = int(12.0f / s.cs);
  c.maxSimplificationError = 1.3f;
  c.minRegionArea = 8 * 8;
  c.mergeRegionArea = 20 * 20;
  c.maxVertsPerPoly = 6;
  c.detailSampleDist = 6.0f * s.cs;
  c.detailSampleMaxError = s.ch;
  rcCalcBounds(scene.points.data(), scene.pointCount(), c.bmin, c.bmax);
  rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);
  return c;
}

// The navmesh of the box that `c` names, of the given triangles.
Tile buildTile(rcContext& context, const rcConfig& c, const Scene& scene, const std::vector<int>& corners,
               Stopwatch& watch, int& mostSpans) {
  Tile tile;
  const int triangles = int(corners.size() / 3);
  Owned<rcHeightfield, rcFreeHeightField> solid(rcAllocHeightfield());
  require(rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch), "heightfield");
  std::vector<unsigned char> areas(triangles, RC_NULL_AREA);
  rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, scene.points.data(), scene.pointCount(), corners.data(),
                          triangles, areas.data());
  require(rcRasterizeTriangles(&context, scene.points.data(), scene.pointCount(), corners.data(), areas.data(),
                               triangles, *solid, c.walkableClimb), "rasterize");
  watch.lap(Rasterize);

  rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
  rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
  rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
  watch.lap(Filter);

  Owned<rcCompactHeightfield, rcFreeCompactHeightfield> open(rcAllocCompactHeightfield());
  require(rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *open), "compact");
  solid.reset();
  mostSpans = std::max(mostSpans, open->spanCount);
  watch.lap(Compact);

  require(rcErodeWalkableArea(&context, c.walkableRadius, *open), "erode");
  watch.lap(Erode);

  require(rcBuildDistanceField(&context, *open), "distance field");
  require(rcBuildRegions(&context, *open, c.borderSize, c.minRegionArea, c.mergeRegionArea), "regions");
  watch.lap(Regions);

  Owned<rcContourSet, rcFreeContourSet> contours(rcAllocContourSet());
  require(rcBuildContours(&context, *open, c.maxSimplificationError, c.maxEdgeLen, *contours), "contours");
  watch.lap(Contours);
  if (contours->nconts == 0) return tile;

  require(rcBuildPolyMesh(&context, *contours, c.maxVertsPerPoly, *tile.polygons), "polygons");
  watch.lap(Polygons);

  require(rcBuildPolyMeshDetail(&context, *tile.polygons, *open, c.detailSampleDist, c.detailSampleMaxError,
                                *tile.detail), "detail");
  watch.lap(Detail);
  return tile;
}

// ---- Detour

using NavMesh = Owned<dtNavMesh, dtFreeNavMesh>;

void addTile(dtNavMesh& navmesh, const Settings& s, const Tile& tile, int x, int y) {
  rcPolyMesh& mesh = *tile.polygons;
  if (mesh.npolys == 0) return;
  std::fill_n(mesh.flags, mesh.npolys, static_cast<unsigned short>(1));
  dtNavMeshCreateParams p{};
  p.verts = mesh.verts;
  p.vertCount = mesh.nverts;
  p.polys = mesh.polys;
  p.polyAreas = mesh.areas;
  p.polyFlags = mesh.flags;
  p.polyCount = mesh.npolys;
  p.nvp = mesh.nvp;
  p.detailMeshes = tile.detail->meshes;
  p.detailVerts = tile.detail->verts;
  p.detailVertsCount = tile.detail->nverts;
  p.detailTris = tile.detail->tris;
  p.detailTriCount = tile.detail->ntris;
  p.walkableHeight = s.height;
  p.walkableRadius = s.radius;
  p.walkableClimb = s.climb;
  p.tileX = x;
  p.tileY = y;
  rcVcopy(p.bmin, mesh.bmin);
  rcVcopy(p.bmax, mesh.bmax);
  p.cs = s.cs;
  p.ch = s.ch;
  p.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  require(dtCreateNavMeshData(&p, &data, &size), "Detour's tile");
  if (dtStatusSucceed(navmesh.addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr))) return;
  dtFree(data);
  throw std::runtime_error("Detour has no room for a tile of " + std::to_string(mesh.npolys) + " polygons");
}

// A navmesh without tiles yet, for columns x rows of them. 22 bits of a reference are shared by the
// number of the tile and that of the polygon in it.
NavMesh makeNavMesh(const rcConfig& whole, int columns, int rows, float width, float height) {
  int tileBits = 0;
  while ((1 << tileBits) < columns * rows) ++tileBits;
  dtNavMeshParams p{};
  rcVcopy(p.orig, whole.bmin);
  p.tileWidth = width;
  p.tileHeight = height;
  p.maxTiles = 1 << tileBits;
  p.maxPolys = 1 << std::max(0, 22 - tileBits);
  NavMesh navmesh(dtAllocNavMesh());
  require(dtStatusSucceed(navmesh->init(&p)), "Detour's navmesh");
  return navmesh;
}

NavMesh build(const Settings& s, const Scene& scene, rcContext& context, Stopwatch& watch, int& mostSpans) {
  const rcConfig whole = makeConfig(s, scene);
  if (s.tile < 1.0f) {
    const Tile tile = buildTile(context, whole, scene, scene.corners, watch, mostSpans);
    NavMesh navmesh = makeNavMesh(whole, 1, 1, whole.width * s.cs, whole.height * s.cs);
    addTile(*navmesh, s, tile, 0, 0);
    watch.lap(Detour);
    return navmesh;
  }
  const int tileCells = int(s.tile);
  const int columns = (whole.width + tileCells - 1) / tileCells, rows = (whole.height + tileCells - 1) / tileCells;
  const float side = tileCells * s.cs;
  rcConfig c = whole;
  // Beyond a tile's edge, what erodes it and what its regions depend on.
  c.borderSize = c.walkableRadius + 3;
  c.tileSize = tileCells;
  c.width = c.height = tileCells + 2 * c.borderSize;
  const float border = c.borderSize * s.cs;

  std::vector<std::vector<int>> perTile(std::size_t(columns) * rows);
  for (std::size_t t = 0; t < scene.corners.size(); t += 3) {
    const int* corner = &scene.corners[t];
    const auto tiles = [&](int axis, int count) {
      const auto [low, high] = std::minmax({scene.points[corner[0] * 3 + axis], scene.points[corner[1] * 3 + axis],
                                            scene.points[corner[2] * 3 + axis]});
      const auto tileOf = [&](float at) {
        return std::clamp(int(std::floor((at - whole.bmin[axis]) / side)), 0, count - 1);
      };
      return std::pair(tileOf(low - border), tileOf(high + border));
    };
    const auto [left, right] = tiles(0, columns);
    const auto [back, front] = tiles(2, rows);
    for (int y = back; y <= front; ++y)
      for (int x = left; x <= right; ++x) {
        auto& list = perTile[std::size_t(y) * columns + x];
        list.insert(list.end(), corner, corner + 3);
      }
  }
  NavMesh navmesh = makeNavMesh(whole, columns, rows, side, side);
  watch.lap(Sort);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const auto& corners = perTile[std::size_t(y) * columns + x];
      if (corners.empty()) continue;
      c.bmin[0] = whole.bmin[0] + x * side - border;
      c.bmin[2] = whole.bmin[2] + y * side - border;
      c.bmax[0] = whole.bmin[0] + (x + 1) * side + border;
      c.bmax[2] = whole.bmin[2] + (y + 1) * side + border;
      const Tile tile = buildTile(context, c, scene, corners, watch, mostSpans);
      addTile(*navmesh, s, tile, x, y);
      watch.lap(Detour);
    }
  return navmesh;
}

// ---- the result

using Tiles = std::vector<const dtMeshTile*>;

Tiles tilesOf(const dtNavMesh& navmesh) {
  Tiles tiles;
  for (int i = 0; i < navmesh.getMaxTiles(); ++i)
    if (const dtMeshTile* tile = navmesh.getTile(i); tile->header) tiles.push_back(tile);
  return tiles;
}

int sum(const Tiles& tiles, int dtMeshHeader::*count) {
  return std::accumulate(tiles.begin(), tiles.end(), 0, [&](int n, auto* tile) { return n + tile->header->*count; });
}

// Counts what hangs together by Detour's own links.
int countComponents(const dtNavMesh& navmesh, const Tiles& tiles) {
  std::map<const dtMeshTile*, int> first;
  int count = 0;
  for (const dtMeshTile* tile : tiles) {
    first[tile] = count;
    count += tile->header->polyCount;
  }
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const dtMeshTile* tile : tiles)
    for (int i = 0; i < tile->header->polyCount; ++i)
      for (unsigned link = tile->polys[i].firstLink; link != DT_NULL_LINK; link = tile->links[link].next) {
        const dtPolyRef other = tile->links[link].ref;
        const int there = first[navmesh.getTile(int(navmesh.decodePolyIdTile(other)))];
        const int from = root(first[tile] + i), to = root(there + int(navmesh.decodePolyIdPoly(other)));
        count -= from != to;
        parent[from] = to;
      }
  return count;
}

// Writes the polygons, or with `detail` the triangles that give them their heights.
void writeObj(const std::string& path, const Tiles& tiles, bool detail) {
  std::ofstream file(path);
  file.precision(9);
  int base = 1;
  for (const dtMeshTile* tile : tiles) {
    const dtMeshHeader& header = *tile->header;
    const auto writePoints = [&](const float* points, int count) {
      for (int i = 0; i < count; ++i, points += 3)
        file << "v " << points[0] << ' ' << points[1] << ' ' << points[2] << '\n';
      return count;
    };
    const int corners = writePoints(tile->verts, header.vertCount);
    const int further = detail ? writePoints(tile->detailVerts, header.detailVertCount) : 0;
    for (int i = 0; i < header.polyCount; ++i) {
      const dtPoly& polygon = tile->polys[i];
      if (!detail) {
        file << 'f';
        for (int k = 0; k < polygon.vertCount; ++k) file << ' ' << base + polygon.verts[k];
        file << '\n';
        continue;
      }
      // A triangle's vertices are the polygon's own corners first, then those of its detail.
      const dtPolyDetail& part = tile->detailMeshes[i];
      for (unsigned t = part.triBase; t < part.triBase + part.triCount; ++t) {
        file << 'f';
        for (int k = 0; k < 3; ++k) {
          const int v = tile->detailTris[t * 4 + k], own = polygon.vertCount;
          file << ' ' << base + (v < own ? polygon.verts[v] : corners + int(part.vertBase) + v - own);
        }
        file << '\n';
      }
    }
    base += corners + further;
  }
  file.close();
  if (!file) refuse("cannot write " + path);
}

// ---- paths

struct End {
  dtPolyRef polygon;
  float point[3];
};
using Query = std::array<End, 2>;

std::vector<Query> readQueries(const std::string& path, const dtNavMesh& navmesh, const dtMeshTile& tile) {
  std::ifstream file(path);
  if (!file) refuse("cannot read " + path);
  std::vector<Query> queries;
  const dtPolyRef base = navmesh.getPolyRefBase(&tile);
  Query query;
  for (int polygon = 0; file >> polygon;) {
    for (End& end : query) {
      if (&end == &query[1]) file >> polygon;
      if (polygon < 0 || polygon >= tile.header->polyCount) refuse(path + ": no polygon " + std::to_string(polygon));
      end.polygon = base | dtPolyRef(polygon);
      file >> end.point[0] >> end.point[1] >> end.point[2];
    }
    if (!file) refuse(path + ": a query is not complete");
    queries.push_back(query);
  }
  if (queries.empty()) refuse(path + " has no queries");
  return queries;
}

struct Answers {
  int complete = 0, partial = 0, failed = 0;
  double pathMs = 1e300, nearestAndPathMs = 1e300;  // of all queries, the fastest repetition
  std::vector<double> lengths;                      // in plan, m; -1 where the goal is not reached
};

// All queries several times over, with the polygons of both ends known and with findNearestPoly.
Answers findPaths(const dtNavMesh& navmesh, const std::vector<Query>& queries, int repeat) {
  constexpr int mostNodes = 65535, mostPolygons = 65536, mostCorners = 8192;
  const float reach[3] = {2.0f, 4.0f, 2.0f};  // as RecastDemo looks for polygons
  Owned<dtNavMeshQuery, dtFreeNavMeshQuery> query(dtAllocNavMeshQuery());
  require(dtStatusSucceed(query->init(&navmesh, mostNodes)), "Detour's query");
  const dtQueryFilter filter;
  std::vector<dtPolyRef> polygons(mostPolygons), cornerPolygons(mostCorners);
  std::vector<float> corners(mostCorners * 3);
  std::vector<unsigned char> flags(mostCorners);
  Answers answers;

  const auto all = [&](bool nearest, bool keep) {
    const double start = cpuMs();
    for (const Query& given : queries) {
      Query ends = given;
      if (nearest)
        for (int i = 0; i < 2; ++i)
          query->findNearestPoly(given[i].point, reach, &filter, &ends[i].polygon, ends[i].point);
      int count = 0, cornerCount = 0;
      const dtStatus status = query->findPath(ends[0].polygon, ends[1].polygon, ends[0].point, ends[1].point, &filter,
                                              polygons.data(), &count, mostPolygons);
      if (count > 0)
        query->findStraightPath(ends[0].point, ends[1].point, polygons.data(), count, corners.data(), flags.data(),
                                cornerPolygons.data(), &cornerCount, mostCorners);
      if (!keep) continue;
      const bool reached = count > 0 && polygons[count - 1] == ends[1].polygon && !dtStatusDetail(status, DT_PARTIAL_RESULT);
      ++(reached ? answers.complete : count > 0 ? answers.partial : answers.failed);
      double length = reached ? 0.0 : -1.0;
      for (int i = 1; reached && i < cornerCount; ++i)
        length += std::hypot(double(corners[i * 3]) - corners[i * 3 - 3], double(corners[i * 3 + 2]) - corners[i * 3 - 1]);
      answers.lengths.push_back(length);
    }
    return cpuMs() - start;
  };

  all(false, true);
  for (int i = 0; i < repeat; ++i) {
    answers.pathMs = std::min(answers.pathMs, all(false, false));
    answers.nearestAndPathMs = std::min(answers.nearestAndPathMs, all(true, false));
  }
  return answers;
}

void writeLengths(const std::string& path, const std::vector<double>& lengths) {
  std::ofstream file(path);
  file.precision(9);
  for (const double length : lengths) file << length << '\n';
  file.close();
  if (!file) refuse("cannot write " + path);
}

// Why the result cannot be right although no step failed: Recast's numbers wrap around silently.
const char* overflow(const Settings& s, const Scene& scene, int mostSpans) {
  const rcConfig c = makeConfig(s, scene);
  if (mostSpans >= 1 << 24) return "more than 2^24 spans";
  if (c.walkableHeight > 255) return "the agent is higher than 255 cells";
  if ((c.bmax[1] - c.bmin[1]) / c.ch > RC_SPAN_MAX_HEIGHT) return "the scene is higher than 8191 cells";
  if (s.tile < 1.0f && std::max(c.width, c.height) > 65535) return "the scene is wider than 65535 cells";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = readArguments({argv + 1, argv + argc});
  const Scene scene = readObj(settings.scene);
  rcContext context(false);
  int mostSpans = 0;
  std::string error;
  NavMesh navmesh;
  Stopwatch watch;
  const auto start = std::chrono::steady_clock::now();
  const double cpuStart = cpuMs();
  try {
    navmesh = build(settings, scene, context, watch, mostSpans);
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  const double cpu = cpuMs() - cpuStart, peak = peakMiB();
  const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

  const Tiles tiles = navmesh ? tilesOf(*navmesh) : Tiles();
  if (tiles.empty() && error.empty()) error = "an empty navmesh";
  if (!settings.out.empty()) writeObj(settings.out, tiles, false);
  if (!settings.outDetail.empty()) writeObj(settings.outDetail, tiles, true);
  std::optional<Answers> answers;
  if (!settings.queries.empty() && !tiles.empty()) {
    const auto queries = readQueries(settings.queries, *navmesh, *tiles.front());
    answers = findPaths(*navmesh, queries, std::max(1, int(settings.repeat)));
    if (!settings.lengths.empty()) writeLengths(settings.lengths, answers->lengths);
  }
  std::printf("{\"cpu_ms\":%.3f,\"wall_ms\":%.3f,\"detour_ms\":%.3f,\"steps_ms\":{", cpu, wall, watch.ms[Detour]);
  for (int i = 0; i < StepCount; ++i) std::printf("%s\"%s\":%.3f", i ? "," : "", stepNames[i], watch.ms[i]);
  std::printf("},\"polygons\":%d,\"vertices\":%d,\"triangles\":%d,\"components\":%d,\"spans\":%d,\"peak_mib\":%.1f,"
              "\"error\":\"%s\",\"overflow\":\"%s\"",
              sum(tiles, &dtMeshHeader::polyCount), sum(tiles, &dtMeshHeader::vertCount),
              sum(tiles, &dtMeshHeader::detailTriCount), navmesh ? countComponents(*navmesh, tiles) : 0, mostSpans, peak,
              error.c_str(), overflow(settings, scene, mostSpans));
  if (answers)
    std::printf(",\"complete\":%d,\"partial\":%d,\"failed\":%d,\"path_ms\":%.3f,\"nearest_and_path_ms\":%.3f",
                answers->complete, answers->partial, answers->failed, answers->pathMs, answers->nearestAndPathMs);
  std::printf("}\n");
}
