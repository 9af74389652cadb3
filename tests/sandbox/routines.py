"""Routines of numpy and scipy, called inside the sandbox and outside: one expression a line."""

from __future__ import annotations

NUMPY_PRELUDE = """
import numpy as np
from numpy import linalg as la, fft, random, ma, polynomial
def rng(): return np.random.default_rng(20)
def square(n=7): return rng().normal(size=(n, n)) + n * np.eye(n)
def spd(n=7): return square(n) @ square(n).T
def plain(x):
    if isinstance(x, (tuple, list)): return [plain(i) for i in x]
    return np.asarray(x)
"""
NUMPY = """
la.solve(square(), np.arange(7.0))
la.inv(square())
la.det(square())
la.slogdet(square())
la.norm(square(), 2)
la.norm(square(), 'nuc')
abs(la.qr(square())[1])
la.svd(square())[1]
la.cholesky(spd())
la.eigvalsh(spd())
la.eigh(spd())[0]
np.sort_complex(la.eigvals(square()))
np.sort_complex(la.eig(square())[0])
la.lstsq(square()[:, :3], np.arange(7.0))
la.pinv(square()[:, :3])
la.matrix_rank(square())
la.matrix_power(square(), 5)
la.cond(square())
la.multi_dot([square()] * 4)
la.tensorsolve(np.eye(24).reshape(6, 4, 2, 3, 4), np.ones((6, 4)))
la.solve(square(200), np.ones(200))
square(300) @ square(300)
np.einsum('ij,jk->ik', square(), spd())
la.solve(square().astype(np.complex128) * 1j, np.ones(7))
la.inv(square().astype(np.float32))
fft.fft(rng().normal(size=64))
fft.ifft(np.arange(9.0))
fft.rfft(np.arange(31.0))
fft.irfft(np.arange(9.0))
fft.fft2(square())
fft.ifft2(square())
fft.fftn(rng().normal(size=(3, 4, 5)))
fft.rfftn(square())
fft.hfft(np.arange(5.0))
fft.fft(np.arange(1009.0))
fft.fftshift(fft.fftfreq(9))
rng().normal(size=9)
rng().integers(0, 10, 9)
rng().permutation(9)
rng().choice(9, 3, False)
rng().gamma(2.0, size=4)
rng().beta(1, 2, 4)
rng().poisson(3.0, 9)
rng().dirichlet([1, 2, 3])
rng().multivariate_normal(np.zeros(3), np.eye(3), 4)
rng().multinomial(9, [0.2, 0.8])
rng().standard_t(3, 5)
rng().spawn(2)[1].random(3)
random.RandomState(3).randn(4)
random.Generator(random.PCG64DXSM(4)).random(3)
random.Generator(random.Philox(4)).random(3)
random.Generator(random.SFC64(4)).random(3)
random.Generator(random.MT19937(4)).random(3)
random.SeedSequence(7).generate_state(4)
np.linspace(0, 1, 5)
np.convolve([1, 2, 3], [0, 1, 0.5])
np.interp(2.5, [1, 2, 3], [3, 2, 0])
np.histogram(rng().normal(size=99), 5)
np.percentile(square(), [5, 50])
np.cov(square())
np.corrcoef(square())
np.gradient(square())
np.polyfit(np.arange(9.0), np.arange(9.0) ** 2, 2)
np.sort(np.roots([1, -6, 11, -6]).real)
polynomial.Polynomial.fit(np.arange(9.0), np.arange(9.0) ** 3, 3).convert().coef
polynomial.chebyshev.chebval(0.3, [1, 2, 3])
polynomial.legendre.leggauss(5)
polynomial.hermite.hermgauss(4)
np.unique(rng().integers(0, 5, 50), return_counts=True)
np.lexsort(([1, 0, 1], [0, 1, 0]))
np.lib.stride_tricks.sliding_window_view(np.arange(9), 3)
np.pad(np.eye(2), 1, mode='edge')
np.apply_along_axis(np.sum, 0, square())
np.vectorize(lambda x: x + 1)([1, 2])
ma.masked_less(np.arange(5), 2).filled(9)
ma.median(ma.masked_less(np.arange(5.0), 2))
np.busday_count('2024-01-01', '2024-03-01')
np.loadtxt(['1 2', '3 4'])
np.fromstring('1 2 3', sep=' ')
np.kron(np.eye(2), np.ones((2, 2)))
np.nanmean([1, np.nan, 3])
np.cumprod(np.arange(1.0, 9))
np.float16(3.14159) * np.arange(3, dtype=np.float16)
np.longdouble(1) / 3 > 0.33
"""

SCIPY_PRELUDE = (
    NUMPY_PRELUDE
    + """
import scipy
from scipy import fft as sfft, integrate, interpolate, linalg as sla, ndimage, optimize
from scipy import signal, spatial, sparse, special, stats, cluster, constants
from scipy.sparse import linalg as ssl, csgraph
def rosen(): return optimize.minimize(optimize.rosen, [1.3, 0.7], method='BFGS', tol=1e-10)
def laplace(n=50): return sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(n, n), format='csc')
"""
)
SCIPY = """
sla.lu(square())[2]
sla.expm(np.eye(3))
sla.logm(spd(3))
sla.sqrtm(spd(3))
sla.schur(spd())[0].diagonal()
sla.solve_triangular(np.tril(square()), np.ones(7), lower=True)
sla.cho_solve(sla.cho_factor(spd()), np.ones(7))
sla.solve_banded((1, 1), np.ones((3, 5)) + [[0], [4], [0]], np.ones(5))
sla.null_space(np.ones((2, 3))).shape
sla.toeplitz([1, 2, 3])
sla.block_diag([1], [[2]])
optimize.brentq(np.cos, 0, 3)
optimize.newton(np.cos, 1.0)
optimize.root(lambda x: x ** 3 - 2, [1.0]).x
abs(rosen().x - 1) < 1e-4
optimize.minimize(optimize.rosen, [1.3, 0.7], method='Nelder-Mead').success
optimize.minimize(optimize.rosen, [1.3, 0.7], method='SLSQP').success
optimize.minimize_scalar(lambda x: (x - 2) ** 2).x
optimize.curve_fit(lambda x, a: a * x, [1.0, 2], [2.0, 4])[0]
optimize.linprog([-1, -2], A_ub=[[1, 1]], b_ub=[4]).fun
optimize.linear_sum_assignment([[4, 1], [2, 0]])
optimize.least_squares(lambda x: x - 3, [0.0]).x
optimize.milp([-1.0], bounds=optimize.Bounds(0, 3.5), integrality=[1]).x
optimize.differential_evolution(lambda x: x @ x, [(-1, 1)]).success
integrate.quad(np.exp, 0, 1)[0]
integrate.dblquad(lambda y, x: x * y, 0, 1, 0, 1)[0]
integrate.solve_ivp(lambda t, y: -y, (0, 1), [1.0], t_eval=[0.5, 1]).y
integrate.solve_ivp(lambda t, y: -y, (0, 1), [1.0], method='BDF').y[0, -1]
integrate.odeint(lambda y, t: -y, 1.0, [0, 0.5, 1])
integrate.simpson(np.arange(5.0) ** 2)
sparse.csr_matrix(np.eye(3)).toarray()
ssl.spsolve(laplace(), np.ones(50))
ssl.cg(-laplace(), np.ones(50))[1]
abs(ssl.eigsh(-laplace(), 2, v0=np.ones(50))[0])
csgraph.shortest_path(sparse.csr_matrix([[0, 1, 0], [0, 0, 2], [0, 0, 0]]))
special.gamma(4.5)
special.erf(0.3)
special.jv(1, 2.0)
special.expit(0.2)
special.logsumexp([1, 2.0])
special.comb(9, 4, exact=True)
special.roots_legendre(4)
special.hyp2f1(1, 2, 3, 0.5)
stats.norm.cdf(0.3)
stats.t.ppf(0.9, 5)
stats.ttest_ind([1, 2, 3.0], [2, 3, 4.5]).pvalue
stats.linregress([1, 2, 3.0], [1, 2, 3.5])[:2]
stats.norm.fit(np.arange(9.0))
stats.chi2.sf(3, 2)
stats.spearmanr([1, 2, 3], [1, 3, 2])[0]
stats.kstest(np.arange(9) / 9, 'uniform').pvalue
stats.gamma.rvs(2, size=3, random_state=1)
stats.gaussian_kde(np.arange(9.0))(3.0)
stats.qmc.Sobol(2, scramble=False).random(4)
interpolate.CubicSpline([0, 1, 2], [0, 1, 4])(1.5)
interpolate.interp1d([0, 1], [0, 2])(0.3)
interpolate.RegularGridInterpolator(([0, 1], [0, 1]), np.eye(2))([[0.3, 0.2]])
interpolate.griddata(np.eye(3)[:, :2], np.arange(3.0), [[0.2, 0.2]])
interpolate.make_interp_spline(np.arange(5.0), np.arange(5.0) ** 2)(2.5)
interpolate.PchipInterpolator([0, 1, 2], [0, 1, 4])(0.5)
signal.butter(3, 0.2)
signal.lfilter([1.0], [1, -0.5], np.ones(5))
signal.fftconvolve([1, 2.0], [3, 4.0])
signal.find_peaks([0, 1, 0, 2, 0])[0]
signal.welch(np.arange(64.0), nperseg=16)[1]
signal.savgol_filter(np.arange(9.0), 5, 2)
sfft.dct(np.arange(8.0))
sfft.fft(np.arange(8.0))
ndimage.gaussian_filter(square(), 1)
ndimage.label(np.eye(3))[1]
spatial.ConvexHull([[0, 0], [1, 0], [0, 1], [0.1, 0.1]]).volume
spatial.KDTree(np.eye(3)).query([1, 0, 0.1])
spatial.Delaunay([[0, 0], [1, 0], [0, 1]]).simplices.shape
spatial.distance.pdist(np.eye(3))
cluster.vq.kmeans2(np.array([[0.0], [0.1], [9.0]]), np.array([[0.0], [9.0]]))[1]
spatial.transform.Rotation.from_euler('z', 90, degrees=True).as_matrix()
constants.c
"""
