"""What op_against_numpy.py runs: every op's cases, its line in NumPy and in PyTorch, and how exact it has to be."""
import itertools
import math
import typing

import numpy as np

try:
    import torch
except ImportError:
    torch = None

FILL = -1e9


class Case(typing.NamedTuple):
    inputs: list  # float64 stands for the type that is tested
    arguments: dict = {}
    has_gradient: bool = True


class Op(typing.NamedTuple):
    cases: typing.Callable  # rng -> [Case]
    numpy: typing.Callable  # (*inputs, **arguments) -> the result
    torch: typing.Optional[typing.Callable] = None  # the same with tensors; None: it has no gradient
    bound: typing.Optional[typing.Callable] = None  # (*inputs, **arguments) -> epsilons; None: to the bit


# --- inputs -----------------------------------------------------------------------------------------------------------


def with_specials(x, specials):
    """x with special values in its first places, and again from the middle on, where rows are long enough."""
    x = x.copy()
    x.flat[: len(specials)] = specials
    x.flat[x.size // 2 : x.size // 2 + len(specials)] = specials[::-1]
    return x


NON_FINITE = [np.nan, np.inf, -np.inf, -0.0]
EXTREME = NON_FINITE + [3e38, -3e38, 1e-45, -1e-45, 1e-40, 0.0]


def matmul_cases(rng):
    for a, b in [((1, 1), (1, 1)), ((3, 5), (5, 17)), ((33, 300), (300, 19)), ((2, 1, 3, 4), (5, 4, 2)),
                 ((3, 4), (2, 4, 5)), ((0, 4), (4, 3)), ((3, 0), (0, 4)), ((3, 4), (4, 0)), ((0, 3, 4), (4, 5))]:
        yield Case([rng.standard_normal(a), rng.standard_normal(b)])
    a, b = rng.standard_normal((9, 17)), rng.standard_normal((17, 33))
    yield Case([with_specials(a, NON_FINITE), b], has_gradient=False)
    yield Case([a, with_specials(b, NON_FINITE)], has_gradient=False)


def matmul_bound(a, b):
    return (a.shape[-1] + 1) * (np.abs(a) @ np.abs(b))


def linear_cases(rng):
    for x, n in [((1, 1), 1), ((3, 5), 17), ((33, 300), 19), ((2, 3, 4), 5), ((0, 4), 3), ((3, 0), 4), ((3, 4), 0)]:
        yield Case([rng.standard_normal(x), rng.standard_normal((x[-1], n)), rng.standard_normal(n)])
    x = with_specials(rng.standard_normal((9, 17)), NON_FINITE)
    yield Case([x, rng.standard_normal((17, 33)), rng.standard_normal(33)], has_gradient=False)


def linear_bound(x, weight, bias):
    return (x.shape[-1] + 2) * (np.abs(x) @ np.abs(weight) + np.abs(bias))


def any_type(rng, shape, arguments):
    yield Case([rng.standard_normal(shape)], arguments)
    yield Case([rng.integers(-9, 9, shape)], arguments)
    yield Case([rng.integers(0, 2, shape) == 1], arguments)
    if np.prod(shape) >= 2 * len(EXTREME):
        yield Case([with_specials(rng.standard_normal(shape), EXTREME)], arguments, has_gradient=False)


def transpose_cases(rng):
    for shape, axes in [((5, 17), None), ((2, 3, 4), None), ((2, 3, 4), [0, 2, 1]), ((2, 3, 4), [2, 0, 1]),
                        ((3, 0), None), ((2, 3, 2, 5), [-1, 0, -2, 1]), ((7,), [0])]:
        yield from any_type(rng, shape, {} if axes is None else {"axes": axes})


def binary_cases(rng):
    for shapes in [((), ()), ((1,), (1,)), ((3, 33), (3, 33)), ((3, 33), (33,)), ((3, 33), (3, 1)), ((4, 1), (17,)),
                   ((2, 3, 1, 5), (4, 1)), ((0,), (0,)), ((3, 0), (3, 1)), ((5, 7), ())]:
        yield Case([rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape) for shape in shapes])  # divisors, too
    n = len(EXTREME)
    yield Case([np.repeat(EXTREME, n), np.tile(EXTREME, n)], has_gradient=False)


def scale_cases(rng):
    for shape, factor in itertools.product([(), (1,), (33,), (2, 3, 5), (0, 4)], [0.1, -3, 0]):
        yield Case([rng.standard_normal(shape)], {"factor": factor})
    yield Case([np.array(EXTREME)], {"factor": 0.1}, has_gradient=False)


def mask_cases(rng):
    for scores, blocked in [((), ()), ((3, 17), (3, 17)), ((2, 3, 33), (33,)), ((2, 3, 8), (3, 1)), ((4, 5), ()),
                            ((0, 5), (5,))]:
        for arguments in [{}, {"fill": 0.1}]:
            yield Case([rng.standard_normal(scores), rng.integers(0, 3, blocked) == 0], arguments)
    blocked = rng.integers(0, 3, (5, 8)) == 0
    yield Case([with_specials(rng.standard_normal((5, 8)), EXTREME), blocked], {"fill": -np.inf}, has_gradient=False)


def causal_cases(rng):
    for shape in [(1, 1), (5, 5), (33, 33), (2, 3, 8), (2, 2, 4, 4), (0, 5), (0, 3, 3)]:
        for arguments in [{}, {"fill": 0.1}]:
            yield Case([rng.standard_normal(shape)], arguments)
    yield Case([with_specials(rng.standard_normal((8, 8)), EXTREME)], has_gradient=False)


def softmax_cases(rng):
    for shape, axis in [((1,), -1), ((17,), 0), ((3, 33), 1), ((3, 33), 0), ((2, 5, 3), 1), ((2, 1000), -1),
                        ((0, 5), -1), ((3, 0), -1)]:
        yield Case([rng.standard_normal(shape)], {"axis": axis})
        yield Case([rng.standard_normal(shape) * 40], {"axis": axis})
    yield Case([rng.standard_normal((3, 9))])
    x = rng.standard_normal((8, 17))
    x[1, 3], x[2, 3], x[3, 3], x[4, :], x[5, 2], x[6, 0] = np.nan, np.inf, -np.inf, -np.inf, 3e38, -3e38
    yield Case([x], has_gradient=False)


def softmax(x, axis=-1):
    if x.size == 0:
        return x
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_bound(x, axis=-1):
    if x.size == 0:
        return x
    below = np.abs(x - x.max(axis=axis, keepdims=True))
    y = softmax(x, axis)
    return np.where(y == 0, 0, y * (np.where(y == 0, 0, below) + x.shape[axis] + 4))


def cross_entropy_cases(rng):
    for ids, v in [((), 5), ((1,), 1), ((7,), 17), ((2, 6), 24), ((3,), 100), ((700,), 24)]:
        for arguments in [{}, {"ignored_id": 2}]:
            right = np.asarray(rng.integers(0, v, ids))
            right.flat[0] = 0
            yield Case([rng.standard_normal(ids + (v,)) * 5, right], arguments)
    x = rng.standard_normal((8, 17))
    for specials in [[np.nan], [np.inf], [-np.inf]]:
        yield Case([with_specials(x, specials), rng.integers(0, 17, 8)], has_gradient=False)
    yield Case([with_specials(x, [-np.inf]), np.zeros(8, dtype=int)], has_gradient=False)
    yield Case([rng.standard_normal((4, 3)), np.full(4, 9)], {"ignored_id": 9}, has_gradient=False)


def cross_entropy_rows(x, ids, ignored_id):
    """The losses of the rows that count, and how far the right logit lies below the largest."""
    ids = np.asarray(ids, dtype=int).ravel()
    x, ids = x.reshape(-1, x.shape[-1])[ids != ignored_id], ids[ids != ignored_id]
    right, largest = np.take_along_axis(x, ids.reshape(-1, 1), -1)[:, 0], x.max(axis=-1)
    return np.log(np.exp(x - largest[:, None]).sum(axis=-1)) + (largest - right), largest - right


def cross_entropy(x, ids, ignored_id=-1):
    losses, _ = cross_entropy_rows(x, ids, ignored_id)
    return losses.sum() / x.dtype.type(losses.size)


def cross_entropy_bound(x, ids, ignored_id=-1):
    losses, below = cross_entropy_rows(x, ids, ignored_id)
    bound = below.sum() + losses.size * (x.shape[-1] + 8) + (26 + np.log2(losses.size + 1)) * losses.sum()
    return bound / losses.size


def torch_cross_entropy(x, ids, ignored_id=-1):
    flat = x.reshape(-1, x.shape[-1])
    return torch.nn.functional.cross_entropy(flat, ids.reshape(-1), ignore_index=ignored_id)


def dropout_cases(rng):
    for shape, arguments in [((), {}), ((33,), {"seed": 5}), ((3, 17), {"rate": 0.1, "seed": 1}), ((0, 4), {}),
                             ((2, 5), {"rate": 0.0}), ((4, 9), {"rate": 0.9})]:
        yield Case([rng.standard_normal(shape)], arguments)
    yield Case([with_specials(rng.standard_normal((5, 9)), NON_FINITE)], has_gradient=False)


def dropped(shape, rate, seed):
    return np.random.default_rng(seed).random(shape) < rate


def dropout(x, rate=0.5, seed=0):
    factor = x.dtype.type(1 / (1 - rate)) if x.dtype != np.longdouble else 1 / np.longdouble(1 - rate)
    return np.where(dropped(x.shape, rate, seed), x.dtype.type(0), x * factor)


def torch_dropout(x, rate=0.5, seed=0):
    return (x / (1 - rate)).masked_fill(torch.from_numpy(np.asarray(dropped(tuple(x.shape), rate, seed))), 0)


def concat_cases(rng):
    for a, b, arguments in [((3, 4), (2, 4), {}), ((3, 4), (3, 1), {"axis": 1}), ((2, 3, 4), (2, 0, 4), {"axis": -2}),
                            ((33,), (7,), {}), ((0,), (0,), {})]:
        yield Case([rng.standard_normal(a), rng.standard_normal(b)], arguments)
        yield Case([rng.integers(-9, 9, a), rng.integers(-9, 9, b)], arguments)
        yield Case([rng.integers(0, 2, a) == 1, rng.integers(0, 2, b) == 1], arguments)


def sum_cases(rng):
    for shape, axis in [((), None), ((1,), None), ((2, 3, 4), None), ((5, 33), 0), ((5, 33), -1), ((2, 3, 4), [0, 2]),
                        ((3, 1000), 1), ((0, 4), 0), ((0, 4), 1), ((3, 0), None)]:
        for keepdims in [False, True]:
            arguments = {} if axis is None else {"axis": axis}
            yield Case([rng.standard_normal(shape)], {**arguments, "keepdims": keepdims} if keepdims else arguments)
    yield Case([with_specials(rng.standard_normal((5, 9)), NON_FINITE)], {"axis": -1}, has_gradient=False)


def axes_of(axis):
    return tuple(axis) if isinstance(axis, list) else axis


def sum_bound(x, axis=None, keepdims=False):
    n = x.size if axis is None else np.prod([x.shape[i] for i in np.atleast_1d(axis)])
    return (24 + np.log2(max(n, 1))) * np.sum(np.abs(x), axis=axes_of(axis), keepdims=keepdims)


def mean(x, axis=None, keepdims=False):
    n = x.size if axis is None else np.prod([x.shape[i] for i in np.atleast_1d(axis)])
    return np.sum(x, axis=axes_of(axis), keepdims=keepdims) / x.dtype.type(n)  # np.mean warns where n is 0


def mean_bound(x, axis=None, keepdims=False):
    n = x.size if axis is None else np.prod([x.shape[i] for i in np.atleast_1d(axis)])
    return sum_bound(x, axis, keepdims) / n + np.abs(mean(x, axis, keepdims))


def layer_norm_cases(rng):
    for shape, arguments in [((1,), {}), ((17,), {}), ((3, 33), {}), ((2, 5, 64), {}), ((9, 300), {"epsilon": 0.1}),
                             ((0, 5), {}), ((3, 0), {})]:
        # A single number is its own mean: its gradient is 0, and PyTorch's is what rounding leaves.
        inputs = [rng.standard_normal(size) for size in (shape, shape[-1:], shape[-1:])]
        yield Case(inputs, arguments, has_gradient=shape != (1,))
    x = rng.standard_normal((8, 17))
    x[1, 3], x[2, 16], x[3, 0], x[4, :] = np.nan, np.inf, -np.inf, 0.7
    yield Case([x, rng.standard_normal(17), rng.standard_normal(17)], has_gradient=False)


def plain_layer_norm_cases(rng):
    for case in layer_norm_cases(rng):
        yield Case(case.inputs[:2], case.arguments, case.has_gradient)


def layer_norm(x, gain, bias=0, epsilon=1e-5):
    if x.size == 0:
        return x
    deviation = x - x.mean(axis=-1, keepdims=True)
    return deviation / np.sqrt((deviation**2).mean(axis=-1, keepdims=True) + x.dtype.type(epsilon)) * gain + bias


def torch_layer_norm(x, gain, bias=None, epsilon=1e-5):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], gain, bias, epsilon)


def layer_norm_bound(x, gain, bias=0, epsilon=1e-5):
    if x.size == 0:
        return x
    deviation = np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)
    size = np.abs(x - x.mean(axis=-1, keepdims=True)) + np.abs(x).mean(axis=-1, keepdims=True)
    return (32 + np.log2(x.shape[-1])) * (np.abs(gain) * size / deviation + np.abs(bias))


def gelu_cases(rng):
    for arguments in [{}, {"exact": True}]:
        for shape in [(), (1,), (33,), (2, 3, 5), (0, 4)]:
            yield Case([rng.standard_normal(shape)], arguments)
        yield Case([rng.standard_normal(200) * 30], arguments)
        yield Case([np.array(EXTREME)], arguments, has_gradient=False)


def gelu_argument(x):
    return np.sqrt(x.dtype.type(2) / np.arccos(x.dtype.type(-1))) * (x + x.dtype.type("0.044715") * x**3)


def gelu(x, exact=False):
    if exact:
        # NumPy has no erf. 1 + erf of negative numbers keeps its digits as erfc.
        tail = np.vectorize(lambda number: math.erfc(-number / math.sqrt(2)) / 2, otypes=[x.dtype])
        return x * (tail(x) if x.size else x)
    return np.asarray(x / (1 + np.exp(-2 * gelu_argument(x))), dtype=x.dtype)  # which rank 0 does not keep


def gelu_bound(x, exact=False):
    y = np.abs(gelu(x, exact))
    # math.erfc takes float64 alone, so that its rounded argument may cost it as much as ours costs us.
    epsilons = 2 * x * x + 12 if exact else 6 * np.abs(gelu_argument(x)) + 8
    return np.where(y == 0, 0, y * np.where(y < 1e-36, 1e8, epsilons))


def torch_gelu(x, exact=False):
    return torch.nn.functional.gelu(x, approximate="none" if exact else "tanh")


def argmax_cases(rng):
    for shape, axis in [((1,), 0), ((33,), -1), ((3, 17), 1), ((3, 17), 0), ((2, 5, 3), 1), ((0, 5), 1)]:
        yield Case([rng.standard_normal(shape)], {"axis": axis})
        yield Case([rng.integers(0, 3, shape).astype(float)], {"axis": axis})  # ties: the first
    yield Case([rng.standard_normal((3, 9))])
    yield Case([with_specials(rng.standard_normal((4, 17)), NON_FINITE)])


def embedding_cases(rng):
    for table, ids in [((24, 32), (1, 12)), ((5, 17), (7,)), ((4, 3), ()), ((1, 3), (2, 5)), ((4, 3), (0,)),
                       ((4, 0), (3,)), ((0, 3), (0,))]:
        yield Case([rng.standard_normal(table), rng.integers(0, max(table[0], 1), ids)])
    yield Case([with_specials(rng.standard_normal((6, 9)), EXTREME), rng.integers(0, 6, 20)], has_gradient=False)


def reshape_cases(rng):
    for shape, new in [((2, 3, 4), [4, -1]), ((6, 10), [3, 4, 5]), ((), [1, 1]), ((1, 1), []), ((0, 4), [2, 0])]:
        yield from any_type(rng, shape, {"shape": new})


def slice_cases(rng):
    for shape, arguments in [
        ((5,), {"stop": 5}),
        ((4, 7), {"axis": 1, "start": 2, "stop": 6}),
        ((3, 17), {"axis": -1, "start": 1, "stop": 17, "step": 3}),
        ((4, 5), {"start": 3, "stop": 1}),
        ((2, 7, 3), {"axis": 1, "start": -5, "stop": -1}),
        ((0, 7), {"axis": 1, "start": 2, "stop": 4}),
    ]:
        yield from any_type(rng, shape, arguments)


def sliced(x, stop, axis=0, start=0, step=1):
    return x[tuple(slice(start, stop, step) if i == axis % x.ndim else slice(None) for i in range(x.ndim))]


def expand_cases(rng):
    for shape, new in [((33,), [3, 33]), ((3, 1), [3, 17]), ((), [2, 3]), ((2, 1, 4), [5, 2, 3, 4]), ((2, 3), [2, 3]),
                       ((1, 4), [0, 4])]:
        yield from any_type(rng, shape, {"shape": new})


def attention_cases(rng):
    for q, k, v, arguments in [
        ((1, 1), (1, 1), (1, 1), {}),
        ((6, 16), (6, 16), (6, 16), {}),
        ((12, 16), (12, 16), (12, 16), {"causal": True}),
        ((2, 3, 5), (2, 300, 5), (2, 300, 17), {"causal": True}),
        ((2, 1, 3, 4), (3, 7, 4), (7, 2), {"scale": 0.3}),
        ((9, 4), (3, 4), (3, 5), {"scale": -2.0}),
        ((0, 4), (3, 4), (3, 5), {"causal": True}),
    ]:
        yield Case([rng.standard_normal(q), rng.standard_normal(k), rng.standard_normal(v)], arguments)


def blocked_attention_cases(rng):
    for case in attention_cases(rng):
        q, k, _ = case.inputs
        for blocked in [(q.shape[-2], k.shape[-2]), (k.shape[-2],), (q.shape[-2], 1)]:
            yield Case(case.inputs + [rng.integers(0, 3, blocked) == 0], case.arguments)


def attention_scores(q, k, causal, scale):
    return (q @ np.swapaxes(k, -1, -2)) * q.dtype.type(scale or 1 / np.sqrt(q.shape[-1]))


def attention(q, k, v, blocked=False, causal=False, scale=0):
    scores = attention_scores(q, k, causal, scale)
    hidden = np.logical_or(blocked, later_keys(scores.shape)) if causal else blocked
    return softmax(np.where(hidden, q.dtype.type(FILL), scores)) @ v


def torch_attention(q, k, v, blocked=None, causal=False, scale=0):
    scores = (q @ k.transpose(-1, -2)) * (scale or 1 / np.sqrt(q.shape[-1]))
    if blocked is not None:
        scores = scores.masked_fill(blocked, FILL)
    if causal:
        scores = scores.masked_fill(torch.from_numpy(later_keys(scores.shape)), FILL)
    return torch.softmax(scores, -1) @ v


def attention_bound(q, k, v, blocked=False, causal=False, scale=0):
    if q.size == 0:
        return 0
    magnitude = np.max(np.abs(attention_scores(np.abs(q), np.abs(k), causal, scale)), axis=-1, keepdims=True)
    weighed = attention(q, k, np.abs(v), blocked, causal, scale)
    return weighed * (2 * (q.shape[-1] + 4) * magnitude + k.shape[-2] + q.shape[-1] + 16)


def packed_attention_cases(rng):
    for qkv, arguments in [((6, 48), {}), ((2, 12, 96), {"n_head": 2, "causal": False}), ((2, 2, 17, 60), {"n_head": 4}),
                           ((1, 130, 30), {"n_head": 2}), ((0, 3, 12), {"n_head": 2})]:
        yield Case([rng.standard_normal(qkv)], arguments)


def heads_of(qkv, n_head):
    """(..., T, 3C) -> queries, keys and values, (..., n_head, T, hs) each; an array or a tensor."""
    heads = qkv.reshape(tuple(qkv.shape[:-1]) + (3, n_head, qkv.shape[-1] // 3 // n_head))
    move = np.moveaxis if isinstance(qkv, np.ndarray) else torch.movedim
    parts = move(heads, -3, 0)  # (3, ..., T, n_head, hs)
    return [move(part, -2, -3) for part in parts]


def joined(heads):
    """Back again: (..., n_head, T, hs) -> (..., T, C)."""
    move = np.moveaxis if isinstance(heads, np.ndarray) else torch.movedim
    return move(heads, -3, -2).reshape(tuple(heads.shape[:-3]) + (heads.shape[-2], heads.shape[-3] * heads.shape[-1]))


def packed(attend):
    return lambda qkv, n_head=1, causal=True: joined(attend(*heads_of(qkv, n_head), causal=causal))


def packed_attention_bound(qkv, n_head=1, causal=True):
    return 0 if qkv.size == 0 else packed(attention_bound)(qkv, n_head, causal)


def later_keys(shape):
    """True where a key lies behind its query, the last query seeing every key."""
    return np.triu(np.ones(shape[-2:], dtype=bool), k=shape[-1] - shape[-2] + 1)


OPS = {
    "matmul": Op(matmul_cases, lambda a, b: a @ b, lambda a, b: a @ b, matmul_bound),
    "linear": Op(linear_cases, lambda x, w, b: x @ w + b, lambda x, w, b: x @ w + b, linear_bound),
    "transpose": Op(
        transpose_cases,
        lambda x, axes=None: np.swapaxes(x, -1, -2) if axes is None else np.transpose(x, axes),
        lambda x, axes=None: x.transpose(-1, -2) if axes is None else x.permute(axes),
    ),
    "scale": Op(scale_cases, lambda x, factor: x * x.dtype.type(factor), lambda x, factor: x * factor),
    "mask": Op(
        mask_cases,
        lambda scores, blocked, fill=FILL: np.where(blocked, scores.dtype.type(fill), scores),
        lambda scores, blocked, fill=FILL: scores.masked_fill(blocked, fill),
    ),
    "causal_mask": Op(
        causal_cases,
        lambda scores, fill=FILL: np.where(later_keys(scores.shape), scores.dtype.type(fill), scores),
        lambda scores, fill=FILL: scores.masked_fill(torch.from_numpy(later_keys(scores.shape)), fill),
    ),
    "softmax": Op(softmax_cases, softmax, lambda x, axis=-1: torch.softmax(x, axis), softmax_bound),
    "cross_entropy": Op(cross_entropy_cases, cross_entropy, torch_cross_entropy, cross_entropy_bound),
    "dropout": Op(dropout_cases, dropout, torch_dropout, lambda x, **given: 1.5 * np.abs(dropout(x, **given))),
    "concat": Op(
        concat_cases,
        lambda a, b, axis=0: np.concatenate([a, b], axis=axis),
        lambda a, b, axis=0: torch.cat([a, b], axis),
    ),
    "add": Op(binary_cases, lambda a, b: a + b, lambda a, b: a + b),
    "subtract": Op(binary_cases, lambda a, b: a - b, lambda a, b: a - b),
    "mul": Op(binary_cases, lambda a, b: a * b, lambda a, b: a * b),
    "divide": Op(binary_cases, lambda a, b: a / b, lambda a, b: a / b),
    "sum": Op(
        sum_cases,
        lambda x, axis=None, keepdims=False: np.sum(x, axis=axes_of(axis), keepdims=keepdims),
        lambda x, axis=None, keepdims=False: x.sum(list(range(x.ndim)) if axis is None else axis, keepdim=keepdims),
        sum_bound,
    ),
    "mean": Op(
        sum_cases,
        mean,
        lambda x, axis=None, keepdims=False: x.mean(list(range(x.ndim)) if axis is None else axis, keepdim=keepdims),
        mean_bound,
    ),
    "layer_norm": Op(layer_norm_cases, layer_norm, torch_layer_norm, layer_norm_bound),
    "plain_layer_norm": Op(plain_layer_norm_cases, layer_norm, torch_layer_norm, layer_norm_bound),
    "gelu": Op(gelu_cases, gelu, torch_gelu, gelu_bound),
    "argmax": Op(argmax_cases, lambda x, axis=-1: np.argmax(x, axis=axis)),
    "embedding": Op(
        embedding_cases, lambda table, ids: np.take(table, ids, axis=0), lambda table, ids: table[ids]
    ),
    "reshape": Op(reshape_cases, lambda x, shape: x.reshape(shape), lambda x, shape: x.reshape(shape)),
    "slice": Op(slice_cases, sliced, sliced),
    "attention": Op(attention_cases, attention, torch_attention, attention_bound),
    "blocked_attention": Op(blocked_attention_cases, attention, torch_attention, attention_bound),
    "packed_attention": Op(packed_attention_cases, packed(attention), packed(torch_attention), packed_attention_bound),
    "expand": Op(expand_cases, lambda x, shape: np.broadcast_to(x, shape), lambda x, shape: x.expand(shape)),
}
